/** A text file that is bundled as it is; Vite and esbuild read the same import. */
declare module '*.txt?raw' {
  const text: string
  // eslint-disable-next-line no-restricted-exports -- what bundlers make of a text file
  export default text
}
