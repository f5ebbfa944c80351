"""The same house with other names for its furniture: does a mind know names by heart, or does it read them?

`flat:seen` has names that training houses have, and things of the training's vocabulary; `flat:unseen` has names that
no training draws. Rooms, ways and furniture are those of `flat`.
"""

from __future__ import annotations

from dataclasses import replace

from coterie.core.errors import CoterieError
from coterie.core.seeds import rng_of
from coterie.houses.scene import Scene

NAMES = {
    "seen": (
        "train",
        "sofa tv_stand side_table counter kitchen_table trolley bed nightstand vanity sink_top stool desk low_shelf"
        " bench pallet cupboard freezer pantry",
    ),
    "unseen": (
        "unseen",
        "credenza chiffonier davenport_2 vitrine etagere lectern bassinet humidor breakfront whatnot tansu tallboy"
        " semainier ottoman samovar_stand bonheur_du_jour secretaire commode",
    ),
}


def renamed(scene: Scene, names: str) -> Scene:
    """Each piece of furniture by a name of that list; which one is fixed by the house."""
    if names not in NAMES:
        raise CoterieError(f"'{scene.name}:{names}': write {' or '.join(f'{scene.name}:{n}' for n in NAMES)}.")
    split, text = NAMES[names]
    words = text.split()
    if len(scene.furniture) > len(words):
        raise CoterieError(f"'{scene.name}' has {len(scene.furniture)} pieces of furniture, and there are names for "
                           f"{len(words)}.")  # fmt: skip
    drawn = rng_of("names", scene.name, names).sample(words, len(scene.furniture))
    new = {f.name: name for f, name in zip(scene.furniture, drawn)}
    # What a thing is called by kind is its old name, too; "high shelf" tells how high it hangs, and stays.
    furniture = tuple(
        replace(f, name=new[f.name], kind=new[f.name] if f.kind.replace(" ", "_") in f.name else f.kind)
        for f in scene.furniture
    )
    work = replace(scene.work, table=new[scene.work.table]) if scene.work is not None else None
    return replace(Scene.of(scene), name=f"{scene.name}:{names}", furniture=furniture, work=work, split=split)
