// Authenticode signatures, by osslsigncode on any system. The certificate is the publisher's; without one nothing is signed.
import { renameSync } from 'node:fs'
import { Failure } from '../../lib/failure.mjs'
import { runLogged } from '../../lib/run.mjs'

/**
 * How packages are signed, from the environment: `THRU_WINDOWS_CERTIFICATE` names a PKCS #12 file,
 * `THRU_WINDOWS_CERTIFICATE_PASSWORD_FILE` a file with its password, `THRU_TIMESTAMP_URL` an RFC 3161 service.
 * Undefined without a certificate.
 */
export function signingOf(env = process.env) {
  const certificate = env.THRU_WINDOWS_CERTIFICATE
  if (!certificate) return undefined
  const passwordFile = env.THRU_WINDOWS_CERTIFICATE_PASSWORD_FILE
  if (!passwordFile)
    throw new Failure(
      'A certificate is named, but not the file with its password: set THRU_WINDOWS_CERTIFICATE_PASSWORD_FILE.',
    )
  return { certificate, passwordFile, timestampUrl: env.THRU_TIMESTAMP_URL || undefined }
}

/** The command that signs `file` into `signed`; the password is in no argument, which others could read. */
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

/** Signs a program in its place; without `signing` it stays as it is. */
export async function signProgram(file, signing, log) {
  if (!signing) return
  const signed = `${file}.signed`
  const [program, ...args] = signCommand(signing, file, signed)
  await runLogged(`signing ${file}`, program, args, { log })
  renameSync(signed, file)
}
