// Parses the versions in CHANGELOG.md.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './cache.mjs'

/** A released version is `## [1.2.0] - 2026-01-31`; the next one is `### 1.2.0` under `## [Unreleased]`. */
const heading =
  /^(?:## \[(\d+\.\d+\.\d+[\w.-]*)\](?: - (\d{4}-\d{2}-\d{2}))?|### (\d+\.\d+\.\d+[\w.-]*))$/

/**
 * Returns the versions in file order, newest first: `version`, `date` (`undefined` if unreleased), `summary` (the
 * paragraph below the heading) and `text` (everything below it).
 * @returns {{ version: string, date: string | undefined, summary: string, text: string }[]}
 */
export function versionsOf(changelog) {
  const versions = []
  for (const line of changelog.split('\n')) {
    const found = heading.exec(line)
    if (found) {
      const [, released, date, inWork] = found
      versions.push({ version: released ?? inWork, date, lines: [] })
    } else if (/^## /.test(line)) versions.push({ lines: [] })
    else versions.at(-1)?.lines.push(line)
  }
  return versions
    .filter(({ version }) => version !== undefined)
    .map(({ version, date, lines }) => {
      const text = lines.join('\n').trim()
      const [first = ''] = text.split(/\n\s*\n/)
      const summary = /^[#-]/.test(first) ? '' : first.replaceAll('\n', ' ')
      return { version, date, summary, text }
    })
}

/** The versions of this checkout's CHANGELOG.md. */
export const readVersions = () => versionsOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))
