/** Choices before anything is written. */
import { expect } from '@playwright/test'
import { defaultReceiveOptions } from '#shared/settings/receive-options'
import { previewSheet } from '../screens/window'
import { violationsOf } from './reach'
import { receiveId, rushesOffer } from './scenes/scene-parts'
import { scenes } from './scenes/scenes'
import { freshStage, page, stage, test, testInColors } from './stage-app'

test.beforeAll(freshStage)

const accepted = async () => {
  const call = (await stage.calls()).find(({ name }) => name === 'accept')
  return call?.arg
}

test('a folder opens, and unticked entries are excluded by their exact names', async () => {
  const { item, receive } = previewSheet(page)
  await stage.enter('preview')
  await item('Day 2, Fushimi').click()
  await expect(item('Day 2, Fushimi')).toHaveAttribute('aria-checked', 'true')
  const clip = item('A001_C016_[false start].mov')
  await clip.click()
  await expect(clip).toHaveAttribute('aria-checked', 'false')
  await expect(item('Day 2, Fushimi')).toHaveAttribute('aria-checked', 'mixed')
  await expect(receive).toHaveText(/Receive 59\.5 GB/)
  await receive.click()
  await expect.poll(accepted).toMatchObject({
    selection: { only: [], except: ['/Day 2, Fushimi/A001_C016_\\[false start\\].mov'] },
  })
})

test('arrow keys move in the tree and Space ticks', async () => {
  const { item, items } = previewSheet(page)
  await stage.enter('preview')
  await item('Day 1, Arashiyama').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await expect(item('Day 2, Fushimi')).toHaveAttribute('aria-checked', 'false')
  await page.keyboard.press('ArrowRight')
  await expect(items).toHaveCount(8)
  await page.keyboard.press('ArrowLeft')
  await expect(items).toHaveCount(4)
})

test('an item gets another name by F2 or its pencil; bad names are refused', async () => {
  const { sheet, item, receive } = previewSheet(page)
  await stage.enter('preview')
  await item('Day 1, Arashiyama').focus()
  await page.keyboard.press('F2')
  const field = sheet.getByRole('textbox', { name: 'New name for Day 1, Arashiyama' })
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('Day 1, Arashiyama')
  for (const [name, reason] of [
    ['a/b', "A name can't contain a slash."],
    ['..', 'Choose another name.'],
    ['', 'Enter a name.'],
    ['Sound', 'Another item has this name.'],
    ['é'.repeat(128), 'Choose a shorter name.'],
  ] as const) {
    await field.fill(name)
    await expect(sheet.getByRole('alert')).toHaveText(reason)
    await field.press('Enter')
    await expect(field).toHaveAttribute('aria-invalid', 'true')
  }
  expect(await violationsOf(page)).toEqual([])
  await field.press('Escape')
  await expect(item('Day 1, Arashiyama')).toBeFocused()
  await expect(sheet).toBeVisible()
  await page.keyboard.press('F2')
  await field.fill('Arashiyama')
  await field.press('Enter')
  await expect(item('Arashiyama')).toBeFocused()
  await expect(field).toHaveCount(0)
  // The name is selected, and leaving the field takes the new one.
  await item('Sound').locator('.node-rename').click()
  await page.keyboard.type('Music')
  await receive.click()
  await expect.poll(accepted).toMatchObject({
    options: {
      renames: [
        { item: 'Day 1, Arashiyama', name: 'Arashiyama' },
        { item: 'Sound', name: 'Music' },
      ],
    },
    selection: { only: [], except: [] },
  })
})

test('a name that the engine refuses is not accepted, however soon the click', async () => {
  const { sheet, item, receive } = previewSheet(page)
  await stage.enter('preview')
  const rename = async (from: string, to: string) => {
    await item(from).focus()
    await page.keyboard.press('F2')
    await sheet.getByRole('textbox').fill(to)
  }
  await rename('Sound', 'con')
  await receive.click()
  const refusal = sheet.getByRole('alert')
  await expect(refusal).toContainText('"con" can\'t be used as a file name here.')
  await expect(receive).toHaveAttribute('aria-disabled', 'true')
  expect(await accepted()).toBeUndefined()
  // The click takes the new name from the field, and waits for the engine.
  await rename('con', 'Music')
  await receive.click({ force: true })
  await expect.poll(accepted).toMatchObject({
    options: { renames: [{ item: 'Sound', name: 'Music' }] },
  })
})

test('a resumed receive gets other names if its own are refused', async () => {
  const { sheet, item, receive } = previewSheet(page)
  await stage.enter('home')
  const options = { ...defaultReceiveOptions, renames: [{ item: 'Sound', name: 'con' }] }
  await stage.play(
    scenes['preview-continued'](Date.now()).map((event) =>
      event.type === 'resumable-listed'
        ? {
            ...event,
            resumableReceives: event.resumableReceives.map((one) => ({ ...one, options })),
          }
        : event,
    ),
  )
  await expect(sheet.getByRole('alert')).toContainText('Choose another name')
  await expect(receive).toHaveAttribute('aria-disabled', 'true')
  await item('con').focus()
  await page.keyboard.press('F2')
  await page.keyboard.type('Noise')
  await page.keyboard.press('Enter')
  await expect(receive).not.toHaveAttribute('aria-disabled', 'true')
  // The new name can be changed again.
  await item('Noise').focus()
  await page.keyboard.press('F2')
  await page.keyboard.type('Music')
  await page.keyboard.press('Enter')
  await receive.click()
  await expect.poll(accepted).toEqual({
    receive: 'r1',
    options: { ...defaultReceiveOptions, renames: [{ item: 'Sound', name: 'Music' }] },
  })
})

test('search results and existing files have the chosen names of their items', async () => {
  const { sheet, item, items } = previewSheet(page)
  await stage.enter('preview')
  await item('Day 2, Fushimi').focus()
  await page.keyboard.press('F2')
  await page.keyboard.type('Shrine')
  await page.keyboard.press('Enter')
  await sheet.getByRole('searchbox').fill('false start')
  await expect(items).toHaveCount(1)
  await expect(item('A001_C016_[false start].mov')).toContainText('Shrine')
  await expect(item('A001_C016_[false start].mov')).not.toContainText('Day 2')
  // A search finds offered and chosen names.
  for (const words of ['shrine/A001_C016', 'fushimi/A001_C016']) {
    await sheet.getByRole('searchbox').fill('nothing like it')
    await expect(items).toHaveCount(0)
    await sheet.getByRole('searchbox').fill(words)
    await expect(items).toHaveCount(1)
    await expect(item('A001_C016_[false start].mov')).toContainText('Shrine')
  }
  await sheet.getByRole('button', { name: 'Decide for each file' }).click()
  await expect(sheet.getByRole('radiogroup', { name: 'Shrine/camera-report.pdf' })).toBeVisible()
})

test(
  'a long folder loads page by page, and only the visible rows exist',
  { tag: '@full' },
  async () => {
    const { item, items } = previewSheet(page)
    await stage.enter('preview')
    await item('Sound').press('ArrowRight')
    await expect(item('A001_C001.mov')).toHaveAttribute('aria-setsize', '1126')
    expect(await items.count()).toBeLessThan(60)
    await page.keyboard.press('End')
    await expect(item('A001_C1000.mov')).toBeVisible()
    // The next page is being loaded.
    await expect(async () => {
      await page.keyboard.press('End')
      await expect(item('A001_C1126.mov')).toBeVisible({ timeout: 500 })
    }).toPass()
    expect(await items.count()).toBeLessThan(60)
  },
)

test('a search finds files in all folders, and its results can be ticked; Esc ends it', async () => {
  const { sheet, item, items, receive } = previewSheet(page)
  await stage.enter('preview')
  await expect(items).toHaveCount(4)
  await page.keyboard.press('Control+F')
  const search = sheet.getByRole('searchbox', { name: 'Search files' })
  await expect(search).toBeFocused()
  await page.keyboard.type('FALSE start')
  await expect(items).toHaveCount(1)
  await expect(item('A001_C016_[false start].mov')).toContainText('Day 2, Fushimi')
  await item('A001_C016_[false start].mov').click()
  await search.fill('nothing like it')
  await expect(sheet).toContainText('No file matches')
  await search.press('Escape')
  await expect(items).toHaveCount(4)
  await expect(item('Day 2, Fushimi')).toHaveAttribute('aria-checked', 'mixed')
  await receive.click()
  await expect.poll(accepted).toMatchObject({
    selection: { only: [], except: ['/Day 2, Fushimi/A001_C016_\\[false start\\].mov'] },
  })
})

test('without a tick there is nothing to receive', async () => {
  const { sheet, receive } = previewSheet(page)
  await stage.enter('preview')
  await sheet.getByRole('checkbox', { name: 'Choose what to receive' }).click()
  await expect(receive).toHaveAttribute('aria-disabled', 'true')
  await receive.click({ force: true })
  expect(await accepted()).toBeUndefined()
})

test("a text among files doesn't count as a file", async () => {
  const { sheet, title, item } = previewSheet(page)
  await stage.enter('preview')
  const { title: called, items, totals } = rushesOffer
  const text = { id: items.length, name: 'Text', kind: 'text', files: 1, bytes: 9 } as const
  await stage.play([
    {
      ...{ atMs: Date.now(), type: 'receive-offered', receive: receiveId('r1'), title: called },
      ...{ items: [...items, text], totals: { ...totals, files: totals.files + 1 } },
    },
  ])
  await expect(item('Text')).toBeVisible()
  await expect(title).toHaveText('Mina Park wants to send you 1,282 files')
  await expect(sheet).toContainText('1,282 of 1,282 files')
  await item('Text').click()
  await expect(sheet).toContainText('1,282 of 1,282 files')
})

test('changes of a watched share can be received, too, and replace existing files', async () => {
  const { sheet, receive } = previewSheet(page)
  await stage.enter('preview')
  const keep = sheet.getByRole('checkbox', { name: 'Keep receiving changes' })
  await expect(keep).toHaveCount(0)
  const { title, items, totals } = rushesOffer
  await stage.play([
    {
      ...{ atMs: Date.now(), type: 'receive-offered', receive: receiveId('r1'), title },
      ...{ items, totals, followable: true },
    },
  ])
  await expect(sheet).toContainText('2 files will be updated (at most 3.9 GB)')
  await keep.click()
  await expect(sheet).toContainText('3 files will be updated (at most 4.0 GB)')
  await sheet.getByRole('checkbox', { name: 'Remove files that the sender deletes' }).click()
  await receive.click()
  const options = { ...defaultReceiveOptions, follow: true, deletions: true, conflict: 'update' }
  await expect.poll(accepted).toMatchObject({ options })
})

test('files that this sender sent and that are unchanged are updated unless others are chosen', async () => {
  const { sheet, receive } = previewSheet(stage.page)
  await stage.enter('preview')
  await sheet.getByRole('button', { name: 'Decide for each file' }).click()
  const outcome = (file: string, name: string) =>
    sheet.getByRole('radiogroup', { name: file }).getByRole('radio', { name })
  await expect(outcome('A001_C015', 'Replace')).toBeChecked()
  await expect(outcome('Sound/', 'Keep both')).toBeChecked()
  await outcome('camera-report', 'Skip').click()
  await stage.page.keyboard.press('Escape')
  await receive.click()
  await expect.poll(accepted).toMatchObject({
    options: {
      conflict: 'update-unchanged',
      choices: [{ path: 'Day 2, Fushimi/camera-report.pdf', policy: 'skip' }],
    },
  })
})

test("an offer can't be accepted when no item is ticked", async () => {
  const { sheet, receive, box } = previewSheet(page)
  await stage.enter('preview')
  const all = sheet.getByRole('checkbox', { name: 'Choose what to receive' })
  for (const { name } of rushesOffer.items) await box(name).click()
  await expect(all).toHaveAttribute('aria-checked', 'false')
  await expect(receive).toHaveAttribute('aria-disabled', 'true')
  await receive.click({ force: true })
  expect(await accepted()).toBeUndefined()
  await all.click()
  await expect(all).toHaveAttribute('aria-checked', 'true')
  await expect(receive).not.toHaveAttribute('aria-disabled', 'true')
})

test('existing files are shown, and different ones follow the choice', async () => {
  const { sheet, policy, receive, item } = previewSheet(page)
  await stage.enter('preview')
  await expect(sheet).toContainText('316 files already exist')
  await expect(sheet).toContainText('330 GB free afterward')
  await item('Day 2, Fushimi').press('ArrowRight')
  await expect(item('A001_C015_0412.mov')).toContainText('different version here')
  await policy.selectOption('Skip')
  await sheet.getByText('1 name will be changed').click()
  await expect(sheet).toContainText('Sound/take_ 4_.wav')
  await sheet.getByText('More options', { exact: true }).click()
  await sheet.getByRole('checkbox', { name: 'Verify files after writing' }).click()
  await receive.click()
  await expect.poll(accepted).toMatchObject({ options: { conflict: 'skip', verify: true } })
})

testInColors('each existing file has its own choice, by mouse and keys', async () => {
  const { sheet, policy, receive } = previewSheet(page)
  await stage.enter('preview')
  await policy.selectOption('Skip')
  await sheet.getByRole('button', { name: 'Decide for each file' }).click()
  const file = (name: string) => sheet.getByRole('radiogroup', { name })
  const clip = file('Day 2, Fushimi/A001_C015_0412.mov')
  await expect(clip.getByRole('radio', { name: 'Skip' })).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(clip.getByRole('radio', { name: 'Replace' })).toBeChecked()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await expect(file('Sound/').getByRole('radio', { name: 'Skip' })).toBeFocused()
  await file('camera-report').getByRole('radio', { name: 'Keep both' }).click()
  await expect(sheet).toContainText('2 decided separately')
  await expect(sheet).toContainText("1 more file isn't listed")
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(sheet.getByRole('tree')).toBeVisible()
  await receive.click()
  await expect.poll(accepted).toMatchObject({
    options: {
      conflict: 'skip',
      choices: [
        { path: 'Day 2, Fushimi/A001_C015_0412.mov', policy: 'replace' },
        { path: 'Day 2, Fushimi/camera-report.pdf', policy: 'keep-both' },
      ],
    },
  })
})

test('a resumed receive keeps its folder, options and selection until these change', async () => {
  const { sheet, item, receive } = previewSheet(page)
  await stage.enter('preview-continued')
  await expect(sheet).toContainText('/home/sora/Projects/Kyoto')
  await expect(item('Sound')).not.toHaveAttribute('aria-checked')
  await receive.click()
  await expect.poll(accepted).toEqual({
    receive: 'r1',
    options: defaultReceiveOptions,
  })
  await sheet.getByRole('button', { name: 'Choose again' }).click()
  await expect(item('Sound')).toHaveAttribute('aria-checked', 'true')
})
