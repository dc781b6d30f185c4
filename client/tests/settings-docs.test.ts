import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { settingsEntries } from '#shared/settings/settings'

const docs = fileURLToPath(new URL('../../docs/settings.md', import.meta.url))

/** The text between the two marks of the page. */
const generated = /(?<=<!-- settings -->\n\n).*(?=\n\n<!-- \/settings -->)/s

const rows = settingsEntries.map(({ key, field: { fallback, expects, about } }) => {
  const cells = [`\`${key}\``, about, expects, `\`${JSON.stringify(fallback)}\``]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
})

it('docs/settings.md lists every setting; "vitest -u" writes it', async () => {
  const table = [
    '| setting | what it does | value | default |',
    '| --- | --- | --- | --- |',
    ...rows,
  ]
  const page = readFileSync(docs, 'utf8')
  expect(page).toMatch(generated)
  await expect(page.replace(generated, () => table.join('\n'))).toMatchFileSnapshot(docs)
})
