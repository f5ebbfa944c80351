"""The words before a plea that only call or beg: one table for all that look for them."""

CALLED = (
    r"please|hey|oh|oi|no|ok|okay|now|just|quick|quickly|careful|everybody|everyone|all of you|all robots|robots|guys|"
    r"team|somebody|someone"
)
