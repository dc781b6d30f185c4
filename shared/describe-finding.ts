/** Findings of network checks in words, singly and as a report to pass on. */
import { type Advice, type Finding, inOrder } from '#shared/state/network-check'
import { text } from '#shared/text/current'

/** The finding in words, in the current language. */
export function adviceFor({ name, verdict, facts }: Finding): Advice {
  const texts = text.findings[name] as Readonly<Record<string, (facts: unknown) => Advice>>
  const say = texts[verdict as string]
  if (say === undefined) throw new Error(`nothing is said of ${name} ${verdict}`)
  return say(facts)
}

/** Dotted, and not part of a longer number on either side. */
const addressOfFour = /(?<![\d.])(\d{1,3}\.\d{1,3})\.\d{1,3}\.\d{1,3}(?![\d.]*\d)/g
/** Contains `::` or at least three colons: times such as 18:03:20 have two. */
const addressOfSix =
  /(?<![\w:.])(?=[\da-f:]*::|(?:[\da-f]{1,4}:){3})([\da-f]{1,4}:[\da-f]{0,4}):[\da-f:.]*(?:%\w+)?(?![\w:])/gi
const ownFolder = /(?:\/home\/|\/Users\/|[A-Z]:\\Users\\)[^/\\\s"']+/g

/** Masks half of each address, and account names in paths. */
export const masked = (said: string): string =>
  said.replace(addressOfFour, '$1.x.x').replace(addressOfSix, '$1:x').replace(ownFolder, '~')

/** A report for a helper, with one line for each finding. `heading` names program and system. */
export function reportOf(findings: readonly Finding[], heading: string): string {
  const lines = inOrder(findings).map((one) => {
    const { what, remedy } = adviceFor(one)
    return `${one.state.padEnd(8)}${one.name}: ${[what, remedy].filter((said) => said !== '').join(' ')}`
  })
  return masked(`${[heading, ...lines].join('\n')}\n`)
}
