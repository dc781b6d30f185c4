// Decides which native libraries are built here and which the system provides.
import { Failure } from '../lib/failure.mjs'

/**
 * Returns the names of deps.json's `dependencies` to build here: all with sources, if `canBuild` allows it. System
 * versions of those are ignored, so network-facing code is the same everywhere, in the listed version and built by our
 * recipe. For the others, or for all if nothing can be built, `whyNot(dependency)` tells why the system's doesn't fit.
 */
export function planBuild(dependencies, { canBuild, whyNot }) {
  const all = Object.entries(dependencies)
  const built = all.filter(([, { sources }]) => canBuild && sources)
  const problems = all
    .filter((entry) => !built.includes(entry))
    .map(([name, dependency]) => [name, whyNot(dependency)])
    .filter(([, reason]) => reason)
  if (problems.length > 0) {
    const sentence = problems.map(([name, reason]) => `${name} (${reason})`).join(', ')
    throw new Failure(
      `The system's libraries don't fit: ${sentence}. Install the libraries in docs/dependencies.md, with headers and static archives.`,
    )
  }
  return built.map(([name]) => name)
}
