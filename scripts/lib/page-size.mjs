/** Measures the scripts that the window loads before its first picture, from Vite's output. */

/** Limit for those scripts in bytes; two thirds are React, zod and Radix. */
export const maxFirstBytes = 640_000

/** True for chunks needed before the first picture: the entry and the app, which it imports next. */
const isFirst = (chunk) =>
  chunk.isEntry || /[\\/]renderer[\\/]start-app\.tsx$/.test(chunk.facadeModuleId ?? '')

const chunksOf = (output) =>
  new Map(output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]))

/** Names of all files that the first picture waits for, including imports. */
export function firstChunks(output) {
  const chunks = chunksOf(output)
  const first = new Set()
  const add = (name) => {
    const chunk = chunks.get(name)
    if (chunk === undefined || first.has(name)) return
    first.add(name)
    chunk.imports.forEach(add)
  }
  for (const chunk of chunks.values()) if (isFirst(chunk)) add(chunk.fileName)
  return [...first]
}

/** Bytes of all scripts of the page, and of those that the first picture waits for. */
export function pageSize(output) {
  const chunks = chunksOf(output)
  const bytes = (names) =>
    [...names].reduce((sum, name) => sum + Buffer.byteLength(chunks.get(name).code), 0)
  return { first: bytes(firstChunks(output)), all: bytes(chunks.keys()) }
}
