import type { Receive } from '#shared/state/app-state'

/** The name of a saved item in the target folder, apart from a number; `null` if only the engine knows it. */
export function savedName(
  { mappedCount, mappedNames }: Pick<Receive, 'mappedCount' | 'mappedNames'>,
  name: string,
): string | null {
  const mapped = mappedNames.find(({ path }) => path === name)
  if (mapped !== undefined) return mapped.writtenAs
  return mappedCount > mappedNames.length ? null : name
}
