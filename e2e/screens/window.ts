import { expect, type Locator, type Page } from '@playwright/test'

/** A real drag of files, as from a file manager: Chromium's own drag events with file names. */
export async function dragFiles(
  page: Page,
  files: readonly string[],
  until: 'held' | 'dropped',
  on?: Locator,
): Promise<void> {
  const { width, height } = await page.evaluate(() => ({ width: innerWidth, height: innerHeight }))
  const box = (await on?.boundingBox()) ?? { x: 0, y: 0, width, height }
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [...files], dragOperationsMask: 1 }
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2, data }
  await session.send('Input.dispatchDragEvent', { type: 'dragEnter', ...at })
  await session.send('Input.dispatchDragEvent', { type: 'dragOver', ...at })
  if (until === 'dropped') await session.send('Input.dispatchDragEvent', { type: 'drop', ...at })
  await session.detach()
}

/** The bar at the top of every screen. */
export const topBar = (page: Page) => ({
  status: page.locator('.status'),
  limits: page.getByRole('button', { name: 'Speed limits' }),
  codeField: page.getByRole('combobox', { name: 'Join code' }),
  place: (name: string) =>
    page.getByRole('navigation', { name: 'Places' }).getByRole('button', { name }),
})

/** Opens a page of the settings. */
export async function openSettings(page: Page, name: string): Promise<void> {
  await topBar(page).place('Settings').click()
  await page
    .getByRole('navigation', { name: 'Settings' })
    .getByRole('button', { name, exact: true })
    .click()
}

/** Home: the invitation and the large code field. */
export const homeScreen = (page: Page) => ({
  invitation: page.getByRole('heading', { name: 'Drop files anywhere' }),
  chooseFiles: page.getByRole('button', { name: 'Choose files' }),
  sendText: page.getByRole('button', { name: 'Send text' }),
  chooseFolder: page.getByRole('button', { name: 'Choose folder' }),
  codeField: page.getByRole('combobox', { name: 'Join code' }),
  note: page.locator('#code-note'),
  cancel: page.getByRole('button', { name: 'Cancel' }),
  enterCode: async (code: string) => {
    const field = page.getByRole('combobox', { name: 'Join code' })
    await field.fill(code)
    await field.press('Enter')
  },
})

/** Nearby computers and contacts, who receive without a code. */
export const peopleList = (page: Page) => {
  const list = page.getByRole('region', { name: 'Send to someone' })
  return {
    list,
    person: (name: string) => list.getByRole('button', { name: `Send files to ${name}` }),
  }
}

/** Questions of other people. */
export const questionRows = (page: Page) => page.getByRole('region', { name: 'Contacts' })

/** A share's card, by its title. */
export const shareCard = (page: Page, title: string) => {
  const card = page.getByRole('article', { name: title })
  return {
    card,
    code: card.getByRole('button', { name: /^Join code / }),
    copy: card.getByRole('button', { name: /^(Copy code|Copied)/ }),
    stop: card.getByRole('button', { name: 'Stop sharing' }),
    pauseAll: card.getByRole('button', { name: /^(Pause all|Resume)$/ }),
    add: card.getByRole('button', { name: 'Add', exact: true }),
    more: card.getByRole('button', { name: 'More' }),
    receivers: card.getByRole('listitem').filter({ has: page.getByRole('progressbar') }),
    readCode: async () => {
      const code = card.getByRole('button', { name: /^Join code / })
      await expect(code).toBeVisible()
      return code.innerText()
    },
  }
}

/** The preview of an offer. */
export const previewSheet = (page: Page) => {
  const sheet = page.getByRole('dialog')
  return {
    sheet,
    title: sheet.getByRole('heading', { level: 2 }),
    items: sheet.getByRole('treeitem'),
    item: (name: string) => sheet.getByRole('treeitem', { name }),
    box: (name: string) => sheet.getByRole('treeitem', { name }).locator('.node-tick'),
    policy: sheet.getByRole('combobox', { name: 'If a different file already exists' }),
    change: sheet.getByRole('button', { name: 'Change' }),
    decline: sheet.getByRole('button', { name: 'Decline' }),
    receive: sheet.getByRole('button', { name: /^(Receive|Resume)/ }),
  }
}

/** A receive's card or row, by its title. */
export const receiveCard = (page: Page, title: string) => {
  const card = page.getByRole('article', { name: title })
  return {
    card,
    bar: card.getByRole('progressbar'),
    cancel: card.getByRole('button', { name: 'Cancel' }),
    pause: card.getByRole('button', { name: /^(Pause|Resume)/ }),
    headline: card.getByRole('heading').first(),
    showFolder: card.getByRole('button', { name: 'Show in folder' }),
    tryAgain: card.getByRole('button', { name: 'Try again' }),
    details: card.getByRole('button', { name: 'Details' }),
    close: card.getByRole('button', { name: 'Close' }).last(),
  }
}
