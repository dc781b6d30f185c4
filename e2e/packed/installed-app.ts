/**
 * The app as its package installs it, on a Debian with nothing else. The fuses of a packed app keep Node's inspector
 * out, by which Playwright opens Electron: these tests see the window alone, over Chromium's own port.
 */
import { type Browser, chromium, expect, type Page } from '@playwright/test'
import type { freshSystem } from '../../scripts/fresh/system.mjs'
import { freePort } from '../real/free-port'

type System = Awaited<ReturnType<typeof freshSystem>>

/** Whose app it is: nobody in particular. */
export const account = 'mina'

export type InstalledApp = {
  readonly page: Page
  /** Ends the app as the end of a session does; resolves with what it said. */
  readonly quit: () => Promise<string>
}

/** Opens the installed app for `account`, on a screen of its own, with Chromium's sandbox. */
export async function openInstalled(
  system: System,
  args: readonly string[],
): Promise<InstalledApp> {
  const port = await freePort()
  const words = [`--remote-debugging-port=${port}`, ...args].map((word) => `'${word}'`).join(' ')
  const session = `
    cd; rm -f display; Xvfb -screen 0 1280x900x24 -nolisten tcp -displayfd 3 3>display 2>/dev/null & screen=$!
    until [ -s display ]; do sleep 0.1; done
    DISPLAY=:$(cat display) thruflux ${words} & app=$!
    read -r line; kill -TERM $app; wait $app; echo "the app ended with $?"; kill $screen`
  const started = system.start(`exec su ${account} -c "$(cat <<'END'\n${session}\nEND\n)"`)
  let said = ''
  for (const output of [started.stdout, started.stderr])
    output.on('data', (data: Buffer) => (said += data.toString()))
  const ended = new Promise((resolve) => started.once('close', resolve))
  await expect.poll(() => said, { timeout: 30_000 }).toContain('DevTools listening on')
  const browser: Browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`, {
    // Electron has no contexts that Playwright could prepare.
    noDefaults: true,
  })
  const pages = () => browser.contexts().flatMap((context) => context.pages())
  await expect.poll(() => pages().length).toBeGreaterThan(0)
  const [page] = pages()
  if (page === undefined) throw new Error('the app has no window')
  return {
    page,
    quit: async () => {
      await browser.close()
      started.stdin.end('quit\n')
      await ended
      return said
    },
  }
}
