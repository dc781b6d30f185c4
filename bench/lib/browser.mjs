// Debian's Chromium, controlled over a pipe by the DevTools protocol. Only few of its domains are enabled: Playwright
// lets the browser report each WebSocket message, which costs as much as the transfer.
import { spawn } from 'node:child_process'

const program = '/usr/bin/chromium'

/** One browser with a profile of its own; `within` is a command prefix that selects the place. */
export class Browser {
  #child
  #sent = 0
  #said = ''
  #waiting = new Map()
  #events = new Map()

  constructor(within, profile, options) {
    const [command, ...args] = [...within, program, ...options]
    const own = ['--headless=new', '--no-sandbox', '--no-first-run', '--remote-debugging-pipe']
    this.#child = spawn(command, [...args, ...own, `--user-data-dir=${profile}`], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    })
    this.#child.stdio[4].setEncoding('utf8').on('data', (text) => {
      const messages = (this.#said + text).split('\0')
      this.#said = messages.pop()
      for (const message of messages) this.#hear(JSON.parse(message))
    })
    this.#child.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the browser has ended'))
    })
  }

  /** Opens a page in a new tab with `script` before its own, until that calls `binding`; returns the call's text. */
  async open(url, script, binding) {
    const { targetId } = await this.#call('Target.createTarget', { url: 'about:blank' })
    const attached = { targetId, flatten: true }
    const { sessionId } = await this.#call('Target.attachToTarget', attached)
    const call = (method, params = {}) => this.#call(method, params, sessionId)
    const called = new Promise((resolve, reject) => {
      this.#events.set(sessionId, resolve)
      this.#child.on('close', () => reject(new Error('the browser has ended')))
    })
    await call('Page.enable')
    await call('Runtime.enable')
    await call('Runtime.addBinding', { name: binding })
    await call('Page.addScriptToEvaluateOnNewDocument', { source: `(${script})()` })
    await call('Page.navigate', { url })
    const text = await called
    await this.#call('Target.closeTarget', { targetId })
    return text
  }

  async close() {
    const ended = new Promise((resolve) => this.#child.once('close', resolve))
    await this.#call('Browser.close')
    await ended
  }

  #call(method, params = {}, sessionId = undefined) {
    this.#sent += 1
    const id = this.#sent
    this.#child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
  }

  #hear({ id, result, error, method, params, sessionId }) {
    if (method === 'Runtime.bindingCalled') this.#events.get(sessionId)?.(params.payload)
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error) waiting?.reject(new Error(error.message))
    else waiting?.resolve(result)
  }
}
