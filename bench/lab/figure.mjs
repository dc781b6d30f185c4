/** Formats a number with a few significant digits, keeping all integer digits; undefined becomes ''. */
export const figure = (value, digits = 3) =>
  value === undefined
    ? ''
    : String(Number(value.toPrecision(Math.max(digits, String(Math.trunc(value)).length))))
