/**
 * Makes docs/recording.webp, which stands at the top of the README: a real transfer between two real
 * apps, seen as it happens. `node scripts/build.mjs && node e2e/recording/record.mjs`; img2webp from the
 * Debian package webp puts the frames together.
 */
import { spawnSync } from 'node:child_process'
import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { expect, type Page, test } from '@playwright/test'
import { repository } from '../build-stage'
import { launch, type RunningApp } from '../launch'
import { makeLargeFile } from '../real/tree'
import { dragFiles, previewSheet, receiveCard, shareCard, topBar } from '../screens/window'

/** What is sent: enough to watch it for some seconds. */
const fileCount = 24
const wholeBytes = Number(process.env['THRU_RECORD_BYTES'] ?? 900_000_000)
const fileBytes = Math.floor(wholeBytes / fileCount)

/** The longest a README is watched, and the most that its page should load. */
const maxMs = 30_000
const maxBytes = 4_000_000

type Name = 'mina' | 'jonas'

/** What is in front, and what the caption says, from a moment on. */
type Cue = { readonly atMs: number; readonly front: Name; readonly words: string }

type Frame = { readonly atMs: number } & { readonly [name in Name]: Buffer }

const folder = join(repository, 'test-results/recording')

test.describe.configure({ timeout: 600_000 })

test('two computers, one code, and a folder that has arrived', async () => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const windows = await openWindows()
  const { frames, cues } = await film(windows)
  await windows.jonas.close()
  await windows.mina.close()
  await rm('/tmp/Jonas', { recursive: true })
  const shots = await photograph(frames, cues)
  const target = join(repository, 'docs/recording.webp')
  const pictures = shots.flatMap(({ path, forMs }) => ['-d', String(forMs), path])
  const { status } = spawnSync(
    'img2webp',
    ['-loop', '0', '-lossy', '-q', '78', '-m', '4', ...pictures, '-o', target],
    { stdio: 'inherit' },
  )
  expect(status).toBe(0)
  const wholeMs = shots.reduce((sum, { forMs }) => sum + forMs, 0)
  expect(wholeMs).toBeLessThan(maxMs)
  expect((await stat(target)).size).toBeLessThan(maxBytes)
})

async function openWindows(): Promise<{ readonly [name in Name]: RunningApp }> {
  const port = '--local-port=47993'
  const mina = await launch({ args: [port, '--name=Mina Park'] })
  // Its name is read in the recording.
  const received = '/tmp/Jonas/Downloads'
  await mkdir(received, { recursive: true })
  const jonas = await launch({ args: [port, '--name=Jonas Weber', `--downloads=${received}`] })
  for (const { app, page } of [mina, jonas]) {
    await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.setContentSize(900, 600),
    )
    await page.waitForFunction(() => innerWidth === 900 && innerHeight === 600)
    await page.emulateMedia({ colorScheme: 'light' })
  }
  return { mina, jonas }
}

/** Plays both people, and takes pictures of their windows as fast as it can. */
async function film({ mina, jonas }: { readonly [name in Name]: RunningApp }) {
  const rushes = join(mina.directory, 'Kyoto rushes')
  await mkdir(rushes)
  for (let index = 0; index < fileCount; index += 1) {
    const name = `A001_C${String(index + 1).padStart(3, '0')}.mov`
    await makeLargeFile(join(rushes, name), fileBytes)
  }
  const cues: Cue[] = []
  const cue = (front: Name, words: string): void => {
    cues.push({ atMs: Date.now(), front, words })
  }
  const cameras = await Promise.all([startCamera(mina.page), startCamera(jonas.page)])

  cue('mina', 'Mina drops a folder on the window.')
  await after(1500)
  await dragFiles(mina.page, [rushes], 'held')
  await after(1200)
  await dragFiles(mina.page, [rushes], 'dropped')
  const { code } = shareCard(mina.page, 'Kyoto rushes')
  await expect(code).toBeVisible()
  cue('mina', 'She gets a code, and reads it out.')
  const words = await code.innerText()
  await after(2500)
  cue('jonas', 'Jonas types it. That is all.')
  await typeCode(jonas.page, words)
  await expect(previewSheet(jonas.page).receive).toBeVisible()
  cue('jonas', 'He sees what comes, and accepts.')
  await after(2500)
  await previewSheet(jonas.page).receive.click()
  cue('jonas', 'It goes straight from computer to computer.')
  await after(3500)
  cue('mina', 'Mina sees how far it is.')
  await after(2000)
  cue('jonas', 'It goes straight from computer to computer.')
  await expect(receiveCard(jonas.page, 'Kyoto rushes').headline).toHaveText(
    /^Received and verified/,
    {
      timeout: 120_000,
    },
  )
  cue('jonas', 'Every file is verified.')
  await after(2500)
  const [minas, jonases] = await Promise.all(cameras.map((stop) => stop()))
  return { frames: joined(minas ?? [], jonases ?? []), cues }
}

type Shot = { readonly atMs: number; readonly png: Buffer }

/** Keeps each picture that the window shows from now on, until the camera is stopped. */
async function startCamera(page: Page): Promise<() => Promise<readonly Shot[]>> {
  const shots: Shot[] = [{ atMs: Date.now(), png: await page.screenshot() }]
  const session = await page.context().newCDPSession(page)
  session.on('Page.screencastFrame', ({ data, sessionId, metadata: { timestamp } }) => {
    const atMs = timestamp === undefined ? Date.now() : timestamp * 1000
    shots.push({ atMs, png: Buffer.from(data, 'base64') })
    void session.send('Page.screencastFrameAck', { sessionId })
  })
  await session.send('Page.startScreencast', { format: 'png' })
  return async () => {
    await session.send('Page.stopScreencast')
    return shots
  }
}

/** The least time between two frames: ten a second are enough to see bars move. */
const minMs = 100

/** Both windows at each moment at which one of them changed. */
function joined(minas: readonly Shot[], jonases: readonly Shot[]): readonly Frame[] {
  const last = (shots: readonly Shot[], atMs: number) =>
    shots.filter((shot) => shot.atMs <= atMs).at(-1) ?? shots[0]
  const moments = [...minas, ...jonases].map(({ atMs }) => atMs).sort((a, b) => a - b)
  const kept: number[] = []
  for (const atMs of moments) {
    if (atMs - (kept.at(-1) ?? 0) >= minMs) kept.push(atMs)
  }
  return kept.flatMap((atMs) => {
    const [mina, jonas] = [last(minas, atMs), last(jonases, atMs)]
    return mina === undefined || jonas === undefined
      ? []
      : [{ atMs, mina: mina.png, jonas: jonas.png }]
  })
}

/** As people type: letter by letter, with Tab for the rest of a word. */
async function typeCode(page: Page, words: string): Promise<void> {
  await topBar(page).codeField.focus()
  for (const [index, part] of words.split('-').entries()) {
    if (index > 0) await page.keyboard.type('-')
    await page.keyboard.type(part, { delay: 70 })
  }
  await page.keyboard.press('Enter')
}

/** Both windows on one desk, as one picture for each frame that differs from the one before. */
async function photograph(frames: readonly Frame[], cues: readonly Cue[]) {
  const desk = await launch({ entry: join(repository, 'e2e/recording/desk.cjs') })
  const shots: { readonly path: string; forMs: number }[] = []
  let before: Buffer = Buffer.alloc(0)
  for (const [index, frame] of frames.entries()) {
    const cue = cues.filter(({ atMs }) => atMs <= frame.atMs).at(-1) ?? cues[0]
    const forMs = Math.round((frames[index + 1]?.atMs ?? frame.atMs + 4000) - frame.atMs)
    await desk.page.evaluate(showFrame, {
      mina: frame.mina.toString('base64'),
      jonas: frame.jonas.toString('base64'),
      front: cue?.front ?? 'mina',
      words: cue?.words ?? '',
    })
    const picture = await desk.page.screenshot()
    const last = shots.at(-1)
    if (before.equals(picture) && last !== undefined) last.forMs += forMs
    else {
      const path = join(folder, `${String(index).padStart(4, '0')}.png`)
      await writeFile(path, picture)
      shots.push({ path, forMs })
    }
    before = picture
  }
  await desk.close()
  return shots
}

/** In the desk's page. */
async function showFrame(frame: {
  readonly [key in Name | 'front' | 'words']: string
}): Promise<void> {
  for (const name of ['mina', 'jonas'] as const) {
    const figure = document.getElementById(name)
    figure?.classList.toggle('front', frame.front === name)
    const image = figure?.querySelector('img')
    if (image === null || image === undefined) continue
    image.src = `data:image/png;base64,${frame[name]}`
    await image.decode()
  }
  const words = document.getElementById('words')
  if (words !== null) words.textContent = frame.words
}
