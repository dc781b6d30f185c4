/** Programs that come with Windows. */

/** One by its place: a bare name is looked for in the current folder first, where anyone's download may be. */
export const windowsProgram = (
  name: string,
  environment: NodeJS.ProcessEnv = process.env,
): string => `${environment['SystemRoot'] || 'C:\\Windows'}\\System32\\${name}.exe`
