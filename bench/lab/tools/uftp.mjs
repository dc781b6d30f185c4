// A tool that sends over UDP without a code.
import { basename, join } from 'node:path'

/** uftp sends at a configured rate; on a direct link this is a typical choice. */
const uftpDirectMbit = 400
/** Share of the wire's rate that users typically configure, leaving room for headers and replies. */
const uftpShare = 0.93
const uftpBuffer = String(8 << 20)

export const uftp = {
  name: 'uftp',
  about: `uftp at a configured rate: ${uftpShare * 100}% of the path's, ${uftpDirectMbit} Mbit/s on a direct link`,
  needs: ['uftp', 'uftpd'],
  install: 'apt-get install uftp',
  daemons: (lab) => [
    {
      place: 'receiver',
      argv: [
        ...['uftpd', '-d', '-I', 'e0', '-D', lab.out, '-B', uftpBuffer],
        ...['-L', join(lab.work, 'uftpd.log'), '-T', lab.work],
      ],
      port: 1044,
    },
  ],
  send: (lab) => {
    const kilobits = Math.round((lab.path?.rate ?? uftpDirectMbit / uftpShare) * uftpShare * 1000)
    const to = lab.address('receiver')
    const how = ['-I', 'e0', '-M', to, '-P', to, '-B', uftpBuffer, '-Y', 'none']
    return ['uftp', '-R', String(kilobits), ...how, basename(lab.source)]
  },
}
