/** What only packages for Windows have. */
export const windows = { target: ['dir'] }
