/** The code field: completion, corrections and pastes. */
import { expect } from '@playwright/test'
import { homeScreen } from '../screens/window'
import { freshStage, page, stage, test } from './stage-app'

const code = '4821-apple-kayak-onion'
const link = `thruflux:join?v=1&c=${code}`

test.beforeAll(freshStage)

test.beforeEach(() => stage.enter('home'))

const lastCall = async () => (await stage.calls()).at(-1)

async function paste(text: string): Promise<void> {
  await stage.app.evaluate(({ clipboard }, pasted) => clipboard.writeText(pasted), text)
  await page.keyboard.press('Control+V')
}

test('three letters complete a word, by Tab, by a separator, or by Enter at the end', async () => {
  const { codeField } = homeScreen(page)
  await codeField.pressSequentially('4821-app')
  await expect(codeField).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByRole('option', { name: 'apple' })).toBeAttached()
  await codeField.press('Tab')
  await expect(codeField).toHaveValue('4821-apple-')
  await expect(codeField).toBeFocused()
  await codeField.pressSequentially('kay ')
  await expect(codeField).toHaveValue('4821-apple-kayak ')
  await codeField.pressSequentially('oni')
  await codeField.press('Enter')
  await expect.poll(lastCall).toEqual({ name: 'join', arg: { code } })
})

test('preparation begins once the number is entered, and joins nothing', async () => {
  const { codeField } = homeScreen(page)
  await codeField.pressSequentially('4821')
  expect(await stage.prepared()).toEqual([])
  await codeField.pressSequentially('-')
  await expect.poll(stage.prepared).toEqual(['4821'])
  expect(await stage.calls()).toEqual([])
  await codeField.fill('')
  await paste('see 777123-apple-kayak-onion')
  await expect.poll(stage.prepared).toEqual(['4821', '777123'])
  await codeField.fill('')
  await paste(`thruflux:join?v=1&c=${code}&s=wss://meet.example.org`)
  await expect(codeField).toHaveValue(code)
  expect(await stage.prepared()).toEqual(['4821', '777123'])
})

test('CODE-03 a wrong word is marked and corrected by a click, and nothing is joined before', async () => {
  const { codeField, note } = homeScreen(page)
  await codeField.fill('4821-apple-kayek-onion')
  await expect(codeField).toHaveAttribute('aria-invalid', 'true')
  await expect(page.locator('.code-shape u')).toHaveText('kayek')
  await codeField.press('Enter')
  expect(await stage.calls()).toEqual([])
  await note.getByRole('option', { name: 'kayak' }).click()
  await expect(codeField).toHaveValue(code)
  await expect(codeField).toBeFocused()
  await expect(note).toBeEmpty()
})

test('CODE-03 arrow keys choose among suggestions, Enter takes one, Esc none', async () => {
  const { codeField } = homeScreen(page)
  await codeField.fill('4821-apple-stone-onion')
  const chosen = page.getByRole('option', { selected: true })
  await codeField.press('ArrowDown')
  await expect(chosen).toHaveText('stopwatch')
  await expect(codeField).toHaveAttribute('aria-activedescendant', 'code-word-0')
  await codeField.press('ArrowUp')
  await expect(chosen).not.toHaveText('stopwatch')
  await codeField.press('Escape')
  await expect(chosen).toHaveCount(0)
  await codeField.press('ArrowDown')
  await codeField.press('Enter')
  await expect(codeField).toHaveValue('4821-apple-stopwatch-onion')
  expect(await stage.calls()).toEqual([])
})

for (const [what, text] of [
  ['a sentence', `code: ${code}.`],
  ['capitals and spaces', '4821 APPLE KAYAK\u00a0ONION\n'],
  ['full-width digits', '４８２１-apple-kayak-onion'],
  ['a join link', link],
] as const) {
  const tag = what === 'a sentence' ? [] : '@full'
  test(`CODE-02 ${what} pasted into the field or elsewhere gives the code`, { tag }, async () => {
    const { codeField } = homeScreen(page)
    await paste(text)
    await expect(codeField).toHaveValue(code)
    await codeField.fill('something else')
    await codeField.focus()
    await paste(text)
    await expect(codeField).toHaveValue(code)
    expect(await stage.calls()).toEqual([])
  })
}

for (const [what, text] of [
  ['1 MiB', code.padEnd(1_048_576, ' ')],
  ['invisible characters', '4821-apple-kay\u200bak-onion'],
  ['a link that says more', `${link}&accept=1`],
] as const) {
  const tag = what === '1 MiB' ? [] : '@full'
  test(`CODE-04 ${what} is refused with an error and changes nothing`, { tag }, async () => {
    const { codeField, note } = homeScreen(page)
    await codeField.fill('4821')
    await paste(text)
    await expect(note).toContainText(/This isn't a join code|doesn't understand this join link/)
    await expect(codeField).toHaveValue('4821')
  })
}
