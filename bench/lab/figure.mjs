/** Some digits of a number, and all that stand before its point; nothing of nothing. */
export const figure = (value, digits = 3) =>
  value === undefined
    ? ''
    : String(Number(value.toPrecision(Math.max(digits, String(Math.trunc(value)).length))))
