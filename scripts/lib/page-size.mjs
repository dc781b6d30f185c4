/** What the window loads before its first picture, by Vite's account of what it built. */

/** The bytes of scripts that the first picture may wait for; two thirds are React, zod and Radix. */
export const maxFirstBytes = 640_000

/** What has to be there before the first picture: the entry, the app that it imports next, and what both import. */
const isFirst = (chunk) =>
  chunk.isEntry || /[\\/]renderer[\\/]start-app\.tsx$/.test(chunk.facadeModuleId ?? '')

const chunksOf = (output) =>
  new Map(output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]))

/** The names of the files that the first picture waits for. */
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

/** The size of all scripts of the page in bytes, and of those that the first picture waits for. */
export function pageSize(output) {
  const chunks = chunksOf(output)
  const bytes = (names) =>
    [...names].reduce((sum, name) => sum + Buffer.byteLength(chunks.get(name).code), 0)
  return { first: bytes(firstChunks(output)), all: bytes(chunks.keys()) }
}
