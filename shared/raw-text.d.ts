/** Text files, which Vite bundles unchanged. */
declare module '*.txt?raw' {
  const text: string
  // oxlint-disable-next-line no-restricted-exports -- bundlers export a text file this way
  export default text
}

declare module '*.md?raw' {
  const text: string
  // oxlint-disable-next-line no-restricted-exports -- bundlers export a text file this way
  export default text
}

declare module '*.html?raw' {
  const text: string
  // oxlint-disable-next-line no-restricted-exports -- bundlers export a text file this way
  export default text
}
