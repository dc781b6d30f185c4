/** Copies a text to the clipboard with a program of this system. */
import { spawn } from 'node:child_process'
import { windowsProgram } from '#client/windows-program'

/** A program that copies its standard input. */
type Copier = { readonly program: string; readonly args: readonly string[] }

/** Limits the wait for a copier that hangs, for example because its display is gone. */
const copierPatienceMs = 2000

/** The copiers of a platform, in the order to try. */
export function copiers(
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
): readonly Copier[] {
  if (platform === 'darwin') return [{ program: 'pbcopy', args: [] }]
  if (platform === 'win32') {
    return [{ program: windowsProgram('clip', environment), args: [] }]
  }
  const has = (variable: string): boolean => (environment[variable] ?? '') !== ''
  return [
    ...(has('WAYLAND_DISPLAY') ? [{ program: 'wl-copy', args: [] }] : []),
    ...(has('DISPLAY')
      ? [
          { program: 'xclip', args: ['-selection', 'clipboard'] },
          { program: 'xsel', args: ['--clipboard', '--input'] },
        ]
      : []),
    ...(has('WSL_DISTRO_NAME') ? [{ program: 'clip.exe', args: [] }] : []),
  ]
}

/** Asks a terminal to copy, even across SSH (OSC 52). The terminal sends no confirmation. */
export const copySequence = (text: string): string =>
  `\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`

/** True if one of the `programs` accepted `text`. */
export async function copied(text: string, programs: readonly Copier[]): Promise<boolean> {
  for (const each of programs) if (await takes(each, text)) return true
  return false
}

const takes = ({ program, args }: Copier, text: string): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'], windowsHide: true })
    const patience = setTimeout(() => child.kill(), copierPatienceMs)
    const end = (taken: boolean): void => {
      clearTimeout(patience)
      resolve(taken)
    }
    child.once('error', () => end(false))
    child.once('exit', (status) => end(status === 0))
    // A program that has ended early reads nothing; its exit status reports that.
    child.stdin.once('error', () => undefined)
    child.stdin.end(text)
  })
