// Evaluates code in an app started with --remote-debugging-port. Before Node 22 it needs --experimental-websocket.
import { Failure } from '../lib/failure.mjs'

/** Returns the value of an expression in the window's page; undefined if there is no page. */
export async function askPage(port, expression) {
  const answer = await fetch(`http://127.0.0.1:${port}/json`).catch(() => undefined)
  const pages = answer ? await answer.json() : []
  const page = pages.find(({ type }) => type === 'page')
  if (!page) return undefined
  const socket = new WebSocket(page.webSocketDebuggerUrl)
  try {
    await new Promise((resolve, reject) => {
      socket.onopen = resolve
      socket.onerror = () => reject(new Failure("The page doesn't answer."))
    })
    const params = { expression, returnByValue: true }
    socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params }))
    const message = await new Promise((resolve) => (socket.onmessage = resolve))
    return JSON.parse(message.data).result.result.value
  } finally {
    socket.close()
  }
}
