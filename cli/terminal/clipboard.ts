/** Puts a text onto the clipboard by the program that this system has for it. */
import { spawn } from 'node:child_process'
import { windowsProgram } from '#client/windows-program'

/** A program that takes what it copies on its standard input. */
type Copier = { readonly program: string; readonly args: readonly string[] }

/** A copier that hangs, for example because its display is gone, is not waited for. */
const copierPatienceMs = 2000

/** In the order in which they are tried. */
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

/** Asks a terminal to copy, also across SSH (OSC 52). Whether it does, it doesn't say. */
export const copySequence = (text: string): string =>
  `\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`

/** True when one of the `programs` took `text`. */
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
    // A program that has ended early reads nothing, which its exit tells.
    child.stdin.once('error', () => undefined)
    child.stdin.end(text)
  })
