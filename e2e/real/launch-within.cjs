#!/usr/bin/env node
/**
 * Starts the app in another environment, such as a network namespace, for Playwright. Debugger ports
 * that the app reports on standard error are replaced by local ones, which forward to them.
 * `THRU_WITHIN`: a command that runs its arguments there, and the app's program, as JSON.
 */
const { spawn } = require('node:child_process')
const { createServer } = require('node:net')
const { createInterface } = require('node:readline')

const [within, program] = JSON.parse(process.env.THRU_WITHIN)
delete process.env.THRU_WITHIN
const [command, ...rest] = within

const app = spawn(command, [...rest, program, ...process.argv.slice(2)], {
  stdio: ['ignore', 'inherit', 'pipe'],
})
app.once('exit', (code) => process.exit(code ?? 1))
process.once('exit', () => app.kill('SIGKILL'))
process.once('SIGTERM', () => app.kill('SIGTERM'))

/** Runs in the other environment, and connects standard input and output to a port. */
const relay = `const s = require('node:net').connect(Number(process.argv[1]), '127.0.0.1')
process.stdin.pipe(s).pipe(process.stdout)
s.on('error', () => process.exit(1)).on('close', () => process.exit(0))`

/** Opens a local port that forwards to one in the other environment. */
const portTo = (port) =>
  new Promise((resolve) => {
    const server = createServer((socket) => {
      const end = spawn(command, [...rest, process.execPath, '-e', relay, port], {
        stdio: ['pipe', 'pipe', 'ignore'],
      })
      socket.on('error', () => end.kill()).on('close', () => end.kill())
      end.stdin.on('error', () => socket.destroy())
      end.on('exit', () => socket.destroy())
      socket.pipe(end.stdin)
      end.stdout.pipe(socket)
    })
    server.listen(0, '127.0.0.1', () => resolve(String(server.address().port)))
  })

const place = /^(.* listening on ws:\/\/127\.0\.0\.1:)(\d+)(\/.*)$/
createInterface({ input: app.stderr }).on('line', async (line) => {
  const [, before, port, after] = place.exec(line) ?? []
  console.error(port === undefined ? line : before + (await portTo(port)) + after)
})
