/**
 * Connects the table of commands to its handlers. It is the only file that listens to the page. It checks the sender
 * and the arguments, and always replies with a `Result`.
 */
import { performance } from 'node:perf_hooks'
import { ipcMain, type IpcMainInvokeEvent } from 'electron'
import { type AppError, appError } from '#shared/errors'
import { type Args, type CommandName, commands, type Handlers, type Reply } from '#shared/ipc'
import { err, type Result } from '#shared/result'
import { appOrigin } from './app-scheme'
import { createThrottle } from './throttle'

/** Far more than a person can request, and far less than would delay transfers. */
const rate = { perSecond: 100, burst: 400 }

/** Answers every command of the table. */
export function serveIpc(handlers: Partial<Handlers>, nowMs = () => performance.now()): void {
  const isInTime = createThrottle(rate, nowMs)
  for (const name of Object.keys(commands) as CommandName[]) {
    ipcMain.handle(`cmd:${name}`, (event, raw: unknown) =>
      isInTime() ? answer(handlers, name, event, raw) : tooOften,
    )
  }
}

const tooOften = err(appError('E_RATE_LIMITED', 'the window asks too often'))

async function answer<K extends CommandName>(
  handlers: Partial<Handlers>,
  name: K,
  event: IpcMainInvokeEvent,
  raw: unknown,
): Promise<Reply<K> | Result<never, AppError>> {
  if (!isOurPage(event)) return err(appError('E_BAD_ARGUMENT', 'not asked by the window'))
  const decoded = commands[name].decode(raw) as Result<Args<K>, AppError>
  if (!decoded.ok) return decoded
  const handle = handlers[name]
  // Without an engine few commands have a handler.
  if (handle === undefined) return err(appError('E_ENGINE_CLOSED'))
  try {
    return await handle(decoded.value)
  } catch (error) {
    // A bug: the page receives a short error, and the log the details.
    console.error(`command ${name} failed:`, error)
    return err(appError('E_INTERNAL', `command ${name} failed`))
  }
}

/** True for the window's own top frame with the application's own page. */
function isOurPage({ senderFrame }: IpcMainInvokeEvent): boolean {
  return (
    senderFrame !== null &&
    senderFrame.parent === null &&
    senderFrame.url.startsWith(`${appOrigin}/`)
  )
}
