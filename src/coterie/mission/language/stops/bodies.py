"""The words for those whom a robot can hurt, and what is theirs: one table for all that look for them."""

KIN = r"granny|grandma|grandpa|mum|mom|dad|daddy|mummy|mommy"
_FAMILY = r"mother|father|son|daughter|wife|husband|brother|sister|friend|colleague|neighbou?r"
HUMAN = (
    r"patient|child|kid|boy|girl|baby|toddler|man|woman|lady|gentleman|person|visitor|nurse|doctor|guest|"
    rf"student|worker|cleaner|{KIN}|{_FAMILY}"
)
YOUNG = r"child|kid|toddler|baby|infant|boy|girl|children|kids|toddlers|babies|boys|girls|little one"
BEAST = r"cat|dog|kitten|puppy|pet|hamster|rabbit"
PART = (
    r"foot|feet|leg|toe|hand|arm|finger|thumb|head|hair|knee|elbow|shoulder|neck|ankle|wrist|nose|face|ear|eye|hip|shin|"
    r"heel|chest|back|belly|tail|paw"
)
WORN = (
    r"skirt|coat|sleeve|shirt|tie|scarf|dress|gown|trousers|shoe|shoelace|lace|apron|jacket|blanket|drip|tube|drain|"
    r"catheter|crutch|cane|walker|stick"
)
CARRIED = (
    r"bag|handbag|purse|backpack|rucksack|phone|hat|umbrella|wallet|suitcase|toy|teddy|doll|glasses|keys|necklace|"
    r"bracelet|watch|ring|belt|hood|pocket|book"
)
HOLDS = r"bed|wheelchair|stretcher|pram|cot|crib"
KIND = r"(?:(?:little|small|old|poor|elderly|young|new|other|whole|blind) )*"
