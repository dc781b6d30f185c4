// Authenticode signatures with osslsigncode, on any system. Without the publisher's certificate nothing is signed.
import { renameSync } from 'node:fs'
import { Failure } from '../../lib/failure.mjs'
import { runLogged } from '../../lib/run.mjs'

/**
 * The signing options, or undefined without a certificate: `THRU_WINDOWS_CERTIFICATE` names a PKCS #12 file,
 * `THRU_WINDOWS_CERTIFICATE_PASSWORD_FILE` a file with its password, `THRU_TIMESTAMP_URL` an RFC 3161 service.
 */
export function signingOf(env = process.env) {
  const certificate = env.THRU_WINDOWS_CERTIFICATE
  if (!certificate) return undefined
  const passwordFile = env.THRU_WINDOWS_CERTIFICATE_PASSWORD_FILE
  if (!passwordFile)
    throw new Failure(
      'There is a certificate, but no password file. Set THRU_WINDOWS_CERTIFICATE_PASSWORD_FILE.',
    )
  return { certificate, passwordFile, timestampUrl: env.THRU_TIMESTAMP_URL || undefined }
}

/** Returns the command that signs `file` into `signed`. Others can read arguments, so the password isn't one. */
export const signCommand = ({ certificate, passwordFile, timestampUrl }, file, signed) => [
  ...['osslsigncode', 'sign', '-pkcs12', certificate, '-readpass', passwordFile, '-h', 'sha256'],
  ...[
    '-n',
    'Thruflux',
    ...(timestampUrl ? ['-ts', timestampUrl] : []),
    '-in',
    file,
    '-out',
    signed,
  ],
]

/** Signs a program in place; does nothing without `signing`. */
export async function signProgram(file, signing, log) {
  if (!signing) return
  const signed = `${file}.signed`
  const [program, ...args] = signCommand(signing, file, signed)
  await runLogged(`signing ${file}`, program, args, { log })
  renameSync(signed, file)
}
