/** Release notes from CHANGELOG.md. */

/** Points under one heading; '' for those without one. */
export type NewsSection = { readonly title: string; readonly points: readonly string[] }

/** Everything new in one version, in the order of the changelog. */
export type News = { readonly version: string; readonly sections: readonly NewsSection[] }

/** Expects a heading with the version, and below it lists with or without headings. */
export function newsOf(changelog: string, version: string): News {
  const sections: { title: string; points: string[] }[] = []
  let depth = 0
  let isPoint = false
  for (const line of changelog.split(/\r?\n/)) {
    const [, marks = '', heading = ''] = /^(#+) +(.+)$/.exec(line) ?? []
    if (depth === 0) {
      if (marks !== '' && isAbout(heading, version)) depth = marks.length
      continue
    }
    if (marks !== '' && marks.length <= depth) break
    const last = sections.at(-1)
    if (line.startsWith('- ')) {
      if (last === undefined) sections.push({ title: '', points: [line.slice(2)] })
      else last.points.push(line.slice(2))
    } else if (isPoint && /^ {2}\S/.test(line)) {
      last?.points.push(`${last.points.pop() ?? ''} ${line.trim()}`)
    } else if (line.trim() !== '') {
      sections.push({ title: heading === '' ? line.trim() : heading, points: [] })
    }
    isPoint = line.startsWith('- ') || (isPoint && line.startsWith('  '))
  }
  return { version, sections: sections.filter(({ points }) => points.length > 0) }
}

/** `0.1.0`, `[0.1.0] - 2026-11-23` */
const isAbout = (heading: string, version: string): boolean =>
  heading.replace(/^\[([^\]]+)\]/, '$1').split(' ')[0] === version
