/** What only packages for macOS have. */
export const macos = { target: ['dir'] }
