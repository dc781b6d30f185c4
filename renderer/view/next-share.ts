/** A person's choices for the next share, which override the settings. */
import { limits } from '#shared/limits'
import type { Settings } from '#shared/settings/settings'
import { shareOptionsOf } from '#shared/settings/settings-defaults'
import type { ShareChoices } from '#shared/settings/share-choices'
import type { ShareOptions } from '#shared/settings/share-options'

/** The patterns of a line such as `node_modules, *.tmp`. */
export const patternsOf = (line: string): readonly string[] =>
  line
    .split(',')
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '')

/** The options of a share with these choices; `undefined` if the settings alone are enough. */
export function optionsWith(
  { exclude = '', ...choices }: ShareChoices,
  sharing: Settings['sharing'],
): ShareOptions | undefined {
  const patterns = patternsOf(exclude)
  if (patterns.length === 0 && Object.keys(choices).length === 0) return undefined
  const usual = shareOptionsOf(sharing)
  // Permanent exclusions also apply here.
  const all = [...new Set([...usual.exclude, ...patterns])].slice(0, limits.patterns)
  return { ...usual, ...choices, exclude: all }
}

/** The choices without those that equal the settings. */
export function onlyOwn(choices: ShareChoices, sharing: Settings['sharing']): ShareChoices {
  const usual = shareOptionsOf(sharing)
  const { exclude = '', gitignore, oneReceiver, approve, codeLifeMs, maxReceivers } = choices
  return {
    ...(exclude.trim() !== '' && { exclude }),
    ...(gitignore !== undefined && gitignore !== usual.gitignore && { gitignore }),
    ...(oneReceiver !== undefined && oneReceiver !== usual.oneReceiver && { oneReceiver }),
    ...(approve !== undefined && approve !== usual.approve && { approve }),
    ...(codeLifeMs !== undefined && codeLifeMs !== usual.codeLifeMs && { codeLifeMs }),
    ...(maxReceivers !== undefined && maxReceivers !== usual.maxReceivers && { maxReceivers }),
  }
}
