// use-app.mjs APP COMMAND VERSION: uses an installed Thruflux like a person: shares a file with the app, and receives
// it with `thru` by the code in the window. The first run also chooses dark colors, which later runs must still find.
// Runs as the user, on $DISPLAY.
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { Failure, runMain } from '../lib/failure.mjs'
import { askPage } from './ask-page.mjs'
import { visibleWindow } from './window.mjs'

const [app, command, version] = process.argv.slice(2)
const port = 9333
const patienceMs = 120_000

/** Polls until `look` returns a value; throws a Failure after a timeout. */
async function until(what, look) {
  for (const end = performance.now() + patienceMs; performance.now() < end; await delay(200)) {
    const found = await look()
    if (found) return found
  }
  throw new Failure(`${what} never appeared.`)
}

const thru = (...args) => execFileSync(command, args, { encoding: 'utf8', timeout: patienceMs })

function expect(what, isSo) {
  if (!isSo) throw new Failure(`Expected: ${what}.`)
  console.log(`  ${what}`)
}

/**
 * Finds the app's main process in the group of `started`. Chromium's other processes have a type, and an unpacked
 * AppImage waits for the app without passing signals on.
 */
function mainProcess(started) {
  const read = (pid, name) => {
    try {
      return readFileSync(`/proc/${pid}/${name}`, 'utf8')
    } catch {
      return ''
    }
  }
  const isOfGroup = (pid) => Number(/\) \S \d+ (\d+)/.exec(read(pid, 'stat'))?.[1]) === started
  const found = readdirSync('/proc').find(
    (pid) =>
      /^\d+$/.test(pid) &&
      isOfGroup(pid) &&
      read(pid, 'comm').trim() === 'thruflux' &&
      !read(pid, 'cmdline').includes('--type='),
  )
  return Number(found ?? started)
}

runMain(async () => {
  // An AppImage that unpacks itself without FUSE also lists its files in this output.
  const isEndOfLine = new RegExp(`${version.replaceAll('.', '\\.')}$`, 'm')
  expect(`thru is version ${version}`, isEndOfLine.test(thru('--version')))
  const settings = join(homedir(), '.config/thruflux/config.toml')
  if (!existsSync(settings)) {
    thru('config', 'set', 'appearance.theme', 'dark')
    // Makes the next start show only its own share's code.
    thru('config', 'set', 'general.resumeShares', 'false')
  }
  const file = join(homedir(), `song of ${version}.bin`)
  const content = randomBytes(3_000_000)
  writeFileSync(file, content)
  const started = performance.now()
  const child = spawn(app, ['--no-lan', `--remote-debugging-port=${port}`, file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let said = ''
  child.stdout.on('data', (data) => (said += data))
  child.stderr.on('data', (data) => (said += data))
  const ended = new Promise((resolve) => child.once('close', resolve))
  try {
    await until('The window', visibleWindow)
    console.log(
      `  the window appeared after ${((performance.now() - started) / 1000).toFixed(1)} s`,
    )
    const code = await until('A code', async () => {
      const text = (await askPage(port, 'document.body.innerText')) ?? ''
      return /\b\d+-[a-z]+-[a-z]+-[a-z]+\b/.exec(text)?.[0]
    })
    const agent = await askPage(port, 'navigator.userAgent')
    expect(
      `the app is version ${version}`,
      agent.includes(`Thruflux/${version} `) || agent.includes(`thruflux/${version} `),
    )
    expect(
      'the colors are dark, as chosen before',
      await askPage(port, "matchMedia('(prefers-color-scheme: dark)').matches"),
    )
    const folder = join(homedir(), `received by ${version}`)
    mkdirSync(folder)
    thru('join', code, '--yes', '--no-lan', '--out', folder)
    const received = readFileSync(join(folder, `song of ${version}.bin`))
    expect('the received file is identical', received.equals(content))
  } catch (error) {
    console.error(said.slice(-4000))
    throw error
  } finally {
    process.kill(mainProcess(child.pid), 'SIGTERM')
  }
  const code = await ended
  if (code !== 0) console.error(`The app ended with ${code}:\n${said.slice(-4000)}`)
  expect('the app ends cleanly after SIGTERM', code === 0)
})
