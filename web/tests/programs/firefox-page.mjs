// firefox-page.mjs ADDRESS [BYTES [FILE]]: receives a share in Debian's Firefox and saves its only file, or all as one ZIP file.
// With BYTES above 0 it sends a file of this size to a computer that requests some. Prints the size and the SHA-256 of the
// file as JSON, and writes it to FILE.
// It controls Firefox by WebDriver BiDi and is a program of its own, because it runs on another computer of a test.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'

const preferences = ['datareporting.policy.dataSubmissionEnabled', 'toolkit.telemetry.enabled']

/** Runs in the page: presses its buttons, and returns the saved or sent file in base64. */
async function useInPage(bytes) {
  const button = (name) =>
    [...document.querySelectorAll('button:enabled')].find(({ innerText }) => name.test(innerText))
  const until = (look) =>
    new Promise((resolve) => {
      const observer = new MutationObserver(() => check())
      const check = () => {
        const found = look()
        if (!found) return
        observer.disconnect()
        resolve(found)
      }
      observer.observe(document, {
        ...{ subtree: true, childList: true, characterData: true, attributes: true },
      })
      check()
    })
  const heading = (name) =>
    [...document.querySelectorAll('h1')].find(({ innerText }) => name.test(innerText))
  const start = async () => (await until(() => button(/^Continue in this browser/))).click()
  const send = async () => {
    await start()
    const input = await until(() => document.querySelector('input[type=file]'))
    const content = new Uint8Array(bytes)
    for (let at = 0; at < bytes; at += 65536)
      crypto.getRandomValues(content.subarray(at, at + 65536))
    const transfer = new DataTransfer()
    transfer.items.add(new File([content], 'from-firefox.bin'))
    input.files = transfer.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
    ;(await until(() => button(/^Send · 1 file/))).click()
    await until(() => heading(/^Everything has been sent/))
    return new Blob([content])
  }
  const original = URL.createObjectURL
  const saved = new Promise((resolve) => {
    URL.createObjectURL = (content) => {
      resolve(content)
      return original.call(URL, content)
    }
  })
  const receive = async () => {
    await start()
    ;(await until(() => button(/^Receive ·/))).click()
    ;(await until(() => button(/^Save/))).click()
    return saved
  }
  const file = await (bytes > 0 ? send() : receive())
  const reader = new FileReader()
  await new Promise((resolve) => {
    reader.onload = resolve
    reader.readAsDataURL(file)
  })
  return reader.result
}

/** Sends commands to a browser's WebDriver BiDi. */
async function connectTo(address) {
  const socket = new WebSocket(`${address}/session`, { maxPayload: 1 << 30 })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const waiting = new Map()
  socket.on('message', (data) => {
    const message = JSON.parse(data.toString())
    waiting.get(message.id)?.(message)
  })
  let last = 0
  return (method, params) =>
    new Promise((resolve, reject) => {
      last += 1
      waiting.set(last, ({ type, message, result }) =>
        type === 'error' ? reject(new Error(message)) : resolve(result),
      )
      socket.send(JSON.stringify({ id: last, method, params }))
    })
}

const profile = mkdtempSync(join(tmpdir(), 'thru-firefox-'))
const off = preferences.map((name) => `user_pref("${name}", false);`)
writeFileSync(join(profile, 'user.js'), off.join('\n'))
const options = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0']
const firefox = spawn('firefox-esr', options, { stdio: ['ignore', 'ignore', 'pipe'] })
const ended = new Promise((resolve) => firefox.once('close', resolve))
const leave = async () => {
  await ended
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
}
// A test that gives up ends the browser, too.
process.once('SIGTERM', () => {
  firefox.kill()
  void leave()
})
const address = await new Promise((resolve) => {
  let said = ''
  firefox.stderr.on('data', (data) => {
    said += data
    const [, found] = /WebDriver BiDi listening on (ws:\S+)/.exec(said) ?? []
    if (found) resolve(found)
  })
})
const send = await connectTo(address)
await send('session.new', { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } })
const [{ context }] = (await send('browsingContext.getTree', {})).contexts
await send('browsingContext.navigate', { context, url: process.argv[2], wait: 'complete' })
const { result, exceptionDetails } = await send('script.evaluate', {
  expression: `(${useInPage})(${Number(process.argv[3] ?? 0)})`,
  target: { context },
  awaitPromise: true,
})
if (exceptionDetails) throw new Error(exceptionDetails.text)
const bytes = Buffer.from(result.value.slice(result.value.indexOf(',') + 1), 'base64')
const sha256 = createHash('sha256').update(bytes).digest('hex')
if (process.argv[4]) writeFileSync(process.argv[4], bytes)
console.log(JSON.stringify({ size: bytes.length, sha256 }))
await send('browser.close', {})
await leave()
