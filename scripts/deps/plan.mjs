// Which native libraries are built here, and which are the system's.
import { Failure } from '../lib/failure.mjs'

/**
 * The names of deps.json's `dependencies` that are built here: all that have sources, wherever `canBuild` says that sources
 * can be had. What the system has of those does not count: the code that faces the network is then the
 * same everywhere, of the listed version and built by our recipe, whatever else is installed. Of the rest, and of
 * all where nothing can be built, the system's must fit: `whyNot(dependency)` gives the reason against it.
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
      `The system's libraries do not fit: ${sentence}. Install what docs/dependencies.md lists, with headers and static archives.`,
    )
  }
  return built.map(([name]) => name)
}
