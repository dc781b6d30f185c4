/** A receiver that follows a share and removes what the sender deletes. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import type { Line, ProgramOutput } from '../program-output'
import { codeOf } from '../program-rig'
import { bytesOf, writeTree } from '../tree'
import { followRig } from './follow-rig'

const rig = followRig('deletions')
const { at, site, copy, watch, follow, resumeShare, resumeReceive } = rig

/** Paths of removed files, with contents. */
const removed = (): Readonly<Record<string, string>> => {
  const folder = at('copy', '.thru-removed')
  if (!existsSync(folder)) return {}
  const found: Record<string, string> = {}
  for (const day of readdirSync(folder))
    for (const [path, seen] of Object.entries(lookAt(join(folder, day)) ?? {}))
      if (seen !== 'folder') found[path] = seen
  return found
}

/** The entries below a folder; `null` while it changes. */
function lookAt(folder: string): Readonly<Record<string, string>> | null {
  const found: Record<string, string> = {}
  const walk = (below: string): void => {
    for (const name of readdirSync(join(folder, below))) {
      const path = join(below, name)
      const full = join(folder, path)
      const status = lstatSync(full)
      if (status.isDirectory()) {
        found[path] = 'folder'
        walk(path)
      } else if (status.isSymbolicLink()) found[path] = `link to ${readlinkSync(full)}`
      else {
        const content = readFileSync(full)
        const shown = content.length < 100 ? String(content) : content.toString('base64url')
        found[path] = ((status.mode & 0o100) === 0 ? '' : 'program ') + shown
      }
    }
  }
  try {
    walk('')
  } catch {
    return null
  }
  return found
}

const isEqual = (): boolean => {
  const seen = lookAt(copy())
  const wanted = lookAt(site()) ?? {}
  const inOrder = (one: object): string => JSON.stringify(Object.entries(one).sort())
  return seen !== null && inOrder(seen) === inOrder(wanted)
}

/** A watched folder, and a receiver that has it. */
function following() {
  const pages = { 'pages/about.html': 'about', 'pages/old/news.html': 'news' }
  writeTree(site(), { 'index.html': 'one', ...pages })
  return rig.following(['--delete'])
}

/** Resolves when the receiver has what the sender has now. */
const inStep = (receiver: ProgramOutput) => rig.until(receiver, isEqual)

it('moves what the sender deletes beside files of an unfinished receive', async () => {
  const { sender, receiver } = await following()
  writeFileSync(site('pages/.~thru-0a2b4f.journal'), 'records')
  writeFileSync(site('pages/.~thru-0a2b4f-3.part'), 'half')
  unlinkSync(site('index.html'))
  await receiver.lineWhere('deletions', ({ moved }) => moved === 1)
  expect(lookAt(copy())).toEqual({
    pages: 'folder',
    'pages/about.html': 'about',
    'pages/old': 'folder',
    'pages/old/news.html': 'news',
  })
  expect((await sender.stop('SIGINT')).stdout).not.toContain('E_NAME_NOT_ALLOWED')
})

it('moves what the sender deletes and renames, and nothing else', async () => {
  const { sender, receiver } = await following()
  writeFileSync(at('copy', 'own.txt'), 'mine')
  rmSync(site('pages/old'), { recursive: true })
  renameSync(site('pages/about.html'), site('pages/us.html'))
  await inStep(receiver)
  expect(removed()).toEqual({
    'site/pages/about.html': 'about',
    'site/pages/old/news.html': 'news',
  })
  expect(readFileSync(at('copy', 'own.txt'), 'utf8')).toBe('mine')
  let moved = 0
  for (let count = 1; moved < 2; count += 1) {
    const report = (await receiver.lines('deletions', count))[count - 1]
    expect(report).toMatchObject({ keptCount: 0 })
    moved += Number(report?.['moved'])
  }
  expect(moved).toBe(2)
  await sender.stop('SIGINT')
  expect(await receiver.ended).toMatchObject({ exitCode: 0 })
  // No round follows, so nothing is noted for it.
  expect(readdirSync(at('copy')).sort()).toEqual(['.thru-removed', 'own.txt', 'site'])
})

it('gives a file the name of a folder, and a folder the name of a file', async () => {
  const { receiver } = await following()
  rmSync(site('pages'), { recursive: true })
  unlinkSync(site('index.html'))
  writeTree(site(), { pages: 'a file', 'index.html/part.html': 'part' })
  await inStep(receiver)
  expect(Object.keys(removed()).sort()).toEqual([
    'site/index.html',
    'site/pages/about.html',
    'site/pages/old/news.html',
  ])
})

it('keeps and lists files that were changed here', async () => {
  const { receiver } = await following()
  appendFileSync(copy('pages/about.html'), ', with my notes')
  writeFileSync(copy('pages/old/own.html'), 'mine')
  renameSync(site('pages'), at('elsewhere'))
  const { kept } = await receiver.line('deletions')
  expect(kept).toEqual([{ path: 'site/pages/about.html', why: 'changed' }])
  await receiver.lines('in-step', 2)
  expect(lookAt(copy())).toEqual({
    'index.html': 'one',
    pages: 'folder',
    'pages/about.html': 'about, with my notes',
    'pages/old': 'folder',
    'pages/old/own.html': 'mine',
  })
})

it('keeps everything when the shared folder is empty, as without its disk', async () => {
  const { receiver } = await following()
  const before = lookAt(copy())
  renameSync(site(), at('elsewhere'))
  mkdirSync(site())
  const isGone = ({ kept }: Line): boolean =>
    JSON.stringify(kept) === JSON.stringify([{ path: 'site', why: 'item-gone' }])
  expect(await receiver.lineWhere('deletions', isGone)).toMatchObject({ moved: 0 })
  await receiver.lines('in-step', 2)
  expect(lookAt(copy())).toEqual(before)
  rmSync(site(), { recursive: true })
  renameSync(at('elsewhere'), site())
  unlinkSync(site('index.html'))
  await inStep(receiver)
})

it('does not send a renamed file again', { tags: ['full'] }, async () => {
  const { receiver } = await following()
  writeFileSync(site('disk.img'), bytesOf('disk', 12 << 20))
  await inStep(receiver)
  renameSync(site('disk.img'), site('pages/moved.img'))
  await inStep(receiver)
  const last = await receiver.lineWhere('in-step', ({ reusedBytes }) => Number(reusedBytes) > 0)
  expect(Number(last['transferred'])).toBeLessThan(1 << 20)
})

/** Numbers from 0 to `below`, the same on every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** A change of the sender's files; each leaves something in the folder. */
function change(next: (below: number) => number, count: number): void {
  const names = ['a', 'b', 'c', 'd']
  const anyPath = (): string =>
    Array.from({ length: 1 + next(3) }, () => names[next(names.length)]).join('/')
  const existing = Object.entries(lookAt(site()) ?? {}).filter(([path]) => path !== 'anchor')
  const pick = (wanted: (seen: string) => boolean): string | undefined => {
    const fitting = existing.filter(([, seen]) => wanted(seen))
    return fitting[next(fitting.length)]?.[0]
  }
  const isFile = (seen: string): boolean => seen !== 'folder' && !seen.startsWith('link to ')
  const free = (path: string): string => {
    // Files on the way and entries of the name make room.
    for (let above = path; above !== '.'; above = dirname(above)) {
      const kind = existsSync(site(above)) ? lstatSync(site(above)) : null
      if (kind !== null && (above === path || !kind.isDirectory()))
        rmSync(site(above), { recursive: true })
    }
    mkdirSync(dirname(site(path)), { recursive: true })
    return site(path)
  }
  const file = pick(isFile)
  const any = pick((seen) => !seen.startsWith('link to '))
  switch (next(8)) {
    case 0:
      writeFileSync(free(anyPath()), `new ${count}`)
      break
    case 1:
      writeFileSync(free(anyPath()), bytesOf(`large ${count}`, 1_500_000 + next(1000)))
      break
    case 2:
      if (file !== undefined) appendFileSync(site(file), ` and ${count}`)
      break
    case 3:
      if (any !== undefined) rmSync(site(any), { recursive: true })
      break
    case 4: {
      const to = anyPath()
      if (any === undefined || `${to}/`.startsWith(`${any}/`) || `${any}/`.startsWith(`${to}/`))
        break
      // Making room may remove it.
      const there = free(to)
      if (existsSync(site(any))) renameSync(site(any), there)
      break
    }
    case 5: {
      const other = pick((seen) => isFile(seen))
      if (file === undefined || other === undefined) break
      renameSync(site(file), at('swap'))
      if (existsSync(site(other))) renameSync(site(other), site(file))
      renameSync(at('swap'), site(other))
      break
    }
    case 6:
      if (file !== undefined) chmodSync(site(file), next(2) === 0 ? 0o755 : 0o644)
      break
    default: {
      symlinkSync('anchor', free(names[next(names.length)] ?? 'a'))
    }
  }
}

async function randomRounds(seed: number, rounds: number): Promise<void> {
  const next = numbers(seed)
  writeTree(site(), { anchor: 'stays', 'a/b': 'first' })
  let sender = watch()
  let receiver = follow(await codeOf(sender), '--delete')
  await receiver.line('in-step')
  const entries = () => readFileSync(at('receiver', 'thruflux', 'transfers.json'), 'utf8')
  await expect.poll(entries, { timeout: 60_000 }).toContain('"deletions":true')
  let seen = 1
  for (let round = 1; round <= rounds; round += 1) {
    for (let some = 1 + next(5); some > 0; some -= 1) change(next, round * 10 + some)
    // The system may not report a change of permissions alone.
    writeFileSync(site('anchor'), `round ${round}`)
    const killed = next(6)
    if (killed === 0) {
      await sender.stop('SIGKILL')
      sender = resumeShare()
    } else if (killed <= 3) {
      const moments = ['accepted', 'started', 'in-step'] as const
      await receiver.lines(moments[killed - 1] ?? 'in-step', seen + 1)
      await receiver.stop('SIGKILL')
      receiver = resumeReceive()
      seen = 0
    }
    // A receiver that was started again must be in step, or the next changes come in its first round.
    for (; seen === 0 || !isEqual(); seen += 1) await receiver.lines('in-step', seen + 1)
  }
}

it('has the same after random changes and kills', { tags: ['full'], timeout: 900_000 }, () =>
  randomRounds(20_261_129, 60),
)
