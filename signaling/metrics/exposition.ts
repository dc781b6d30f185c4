/**
 * Metrics as text for Prometheus and others (exposition format 0.0.4). Names, labels and their values are
 * constants of this program, so nothing needs escaping.
 */
import type { Family, Sample } from '#signaling/metrics/metric'

/** Content type of the text. */
export const expositionType = 'text/plain; version=0.0.4; charset=utf-8'

/** The text of these metrics, whose names must be unique. */
export const exposition = (families: readonly Family[]): string =>
  families
    .map(({ name, help, type, samples }) =>
      [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} ${type}`,
        ...samples.map((sample) => line(name, sample)),
        '',
      ].join('\n'),
    )
    .join('')

function line(name: string, { suffix, labels = {}, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`)
  return `${name}${suffix ?? ''}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`
}
