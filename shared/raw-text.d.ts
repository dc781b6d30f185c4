/** Text files that are bundled as they are; Vite and esbuild read the same import. */
declare module '*.txt?raw' {
  const text: string
  // eslint-disable-next-line no-restricted-exports -- what bundlers make of a text file
  export default text
}

declare module '*.md?raw' {
  const text: string
  // eslint-disable-next-line no-restricted-exports -- what bundlers make of a text file
  export default text
}

declare module '*.html?raw' {
  const text: string
  // eslint-disable-next-line no-restricted-exports -- what bundlers make of a text file
  export default text
}
