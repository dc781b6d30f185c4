/** Ends a `switch` over a union, so that a missing case doesn't compile. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`)
}
