/**
 * Metrics as text that Prometheus and others read (exposition format 0.0.4). Names, labels and their
 * values are constants of this program, so that nothing has to be escaped.
 */
import type { Family, Sample } from '#signaling/metrics/metric'

/** The type of the text. */
export const expositionType = 'text/plain; version=0.0.4; charset=utf-8'

/** The text of these metrics, each of which has a name of its own. */
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
