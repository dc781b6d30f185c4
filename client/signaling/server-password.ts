/** Sends the password of a private server. */

/** Headers for an upgrade (RFC 7617), with an empty user name; none without a password. */
export const passwordHeaders = (password: string | undefined): Readonly<Record<string, string>> =>
  password === undefined
    ? {}
    : { Authorization: `Basic ${Buffer.from(`:${password}`).toString('base64')}` }
