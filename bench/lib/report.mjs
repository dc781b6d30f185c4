// Prints the table of results.

/** `atMost` or `atLeast` is the goal for the median; rows without one are informational. */
export function print(rows) {
  const round = (value) => (value === undefined ? '' : String(Number(value.toPrecision(3))))
  const table = rows.map(({ what, unit = '', best, median, worst, atMost, atLeast }) => {
    const promise =
      atMost !== undefined ? `<= ${atMost}` : atLeast !== undefined ? `>= ${atLeast}` : ''
    const isKept = atMost !== undefined ? median <= atMost : median >= atLeast
    return [
      what,
      ...[best, median, worst].map(round),
      unit,
      promise,
      promise && (isKept ? 'met' : 'MISSED'),
    ]
  })
  const header = ['', 'best', 'median', 'worst', 'unit', 'goal', '']
  const widths = header.map((_, column) =>
    Math.max(...[header, ...table].map((row) => row[column].length)),
  )
  for (const row of [header, ...table]) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
  }
}
