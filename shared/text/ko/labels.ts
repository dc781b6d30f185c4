/** The label of each state, and notes about codes and files. */
import { formatCount } from '#shared/format/format'
import type { Translation } from '#shared/text/catalogue'
import type { SharedText } from '#shared/text/current'

const compared = ({
  files,
  uncompared,
}: {
  readonly files: number
  readonly uncompared: number
}): string => {
  if (uncompared === 0) return '내용이 같음'
  if (uncompared === files) return '크기와 시간이 같음, 비교하지 않음'
  return `그중 ${formatCount(uncompared)}개는 크기와 시간만 같음, 비교하지 않음`
}

const ofOffered = ({
  files,
  offeredFiles,
}: {
  readonly files: number
  readonly offeredFiles: number
}): string => `${formatCount(offeredFiles)}개 중 ${formatCount(files)}개`

export const labels: Translation<SharedText> = {
  states: {
    preparing: '준비 중',
    waiting: '대기 중',
    waitingForYou: '답을 기다리는 중',
    undecided: '승인을 기다리는 중',
    connecting: '연결 중',
    reconnecting: '다시 연결 중',
    reconnectingAgain: (attempt) => `다시 연결 중 (${formatCount(attempt)}번째 시도)`,
    reconnected: '다시 연결됨',
    asksToReceive: '받기를 요청했어요',
    waitingToBeLetIn: (name) => `${name}님의 허락을 기다리는 중`,
    deciding: '결정하는 중',
    sending: '보내는 중',
    receiving: '받는 중',
    transferring: '전송 중',
    finishing: '마무리 중',
    paused: '내가 일시정지함',
    pausedByPeer: '상대가 일시정지함',
    quotaUsedUp: '대기 중: 내 디스크 할당량을 다 썼음',
    tooManyFiles: '대기 중: 이 디스크에는 파일을 더 만들 수 없음',
    waitingForSpace: (size) => `디스크 공간 ${size}를 기다리는 중`,
    waitingForTheirSpace: (size) => `상대 디스크의 공간 ${size}를 기다리는 중`,
    waitingForTheirDisk: '상대 디스크에 여유가 생기기를 기다리는 중',
    inStep: '최신 상태: 변경을 기다리는 중',
    interrupted: '중단됨',
    verified: '다 받고 검증함',
    withoutFiles: '완료, 제공된 파일 없음',
    nothingNew: '새것 없음',
    doneWithProblems: (problems) => `완료, 문제 ${formatCount(problems)}개`,
    stopped: '중지됨',
    stoppedByPeer: '상대가 중지함',
    refused: '허락되지 않음',
    unanswered: '응답 없음',
    declined: '거절함',
    canceled: '취소됨',
    failed: '실패',
  },

  stalls: {
    network: '데이터가 오가지 않음',
    relay: '중계를 통한 응답이 없어 다른 경로를 찾는 중',
    peer: '상대 컴퓨터에서 응답이 없음',
    'no-route': '아직 연결되지 않아 다시 시도 중',
    'own-disk': '이 컴퓨터의 디스크가 바쁨',
    'peer-disk': '상대 컴퓨터의 디스크가 바쁨',
    source: '파일 읽기가 느림',
    limit: '속도 제한으로 느림',
  },

  notes: {
    tooManyGuesses:
      '잘못된 시도가 너무 많아서 이제 아무도 새로 참여할 수 없어요. 더 받게 하려면 새로 공유하세요. 진행 중인 전송은 계속돼요.',
    locked: (wrong) =>
      `${formatCount(wrong)}번 잘못 입력해서 잠겼어요. 새 코드를 만드세요. 진행 중인 전송은 계속돼요.`,
    guessed: (wrong) =>
      `이 코드를 ${formatCount(wrong)}번 잘못 입력했어요. 누군가 코드를 추측하고 있을 수 있어요.`,
    highLoad:
      '모르는 사람들이 계속 참여하려고 해서, 받는 사람이 기다리거나 다시 시도해야 할 수 있어요. 새 코드를 만들면 나아져요.',
    moved: '서버가 다른 번호를 주어서 새 코드가 생겼어요. 이전 코드는 더 이상 쓸 수 없어요.',
  },

  codeEnds: {
    'one-receiver': '누군가 참여해서 이 일회용 코드는 더 이상 쓸 수 없어요.',
    everyone: '모두 응답했어요. 이 공유는 곧 끝나요.',
    expired: '코드가 만료됐어요. 진행 중인 전송은 계속돼요.',
  },
  invitationsExpired: '초대가 만료됐어요. 진행 중인 전송은 계속돼요.',

  reach: {
    away: {
      network: '서버가 응답할 때까지 이 네트워크에서만 코드를 쓸 수 있어요.',
      computer: '서버가 응답할 때까지 이 컴퓨터에서만 코드를 쓸 수 있어요.',
    },
    noMeeting: {
      network: '공개 만남 지점이 응답할 때까지 이 네트워크에서만 코드를 쓸 수 있어요.',
      computer: '공개 만남 지점이 응답할 때까지 이 컴퓨터에서만 코드를 쓸 수 있어요.',
    },
    leftMeeting: {
      network:
        '누군가 코드를 추측하고 있어서 이 공유는 더 이상 공개 만남 지점에 없어요. 이 네트워크에서만 코드를 쓸 수 있어요. 계속하려면 새 코드를 만드세요.',
      computer:
        '누군가 코드를 추측하고 있어서 이 공유는 더 이상 공개 만남 지점에 없어요. 계속하려면 새 코드를 만드세요.',
    },
    refused: {
      network: '이 컴퓨터가 서버를 쓸 수 있을 때까지 이 네트워크에서만 코드를 쓸 수 있어요.',
      computer: '이 컴퓨터가 서버를 쓸 수 있을 때까지 이 컴퓨터에서만 코드를 쓸 수 있어요.',
    },
  },

  ends: {
    receiver: {
      identical: (of) => `파일 ${formatCount(of.files)}개는 이미 있었음 (${compared(of)})`,
      chosen: (of) => `파일 ${ofOffered(of)} (내가 선택함)`,
    },
    sender: {
      identical: (of) => `파일 ${formatCount(of.files)}개는 상대에게 이미 있었음 (${compared(of)})`,
      chosen: (of) => `파일 ${ofOffered(of)} (상대가 선택함)`,
    },
  },

  counted: {
    request: '파일 요청',
    items: (count) => `항목 ${formatCount(count)}개`,
    filesAndTexts: ({ files, texts }) => {
      const words = [`파일 ${formatCount(files)}개`, `텍스트 ${formatCount(texts)}개`] as const
      if (texts === 0) return words[0]
      return files === 0 ? words[1] : words.join(', ')
    },
    text: '텍스트',
  },
  storage: {
    damaged: (file) =>
      `${file} 파일이 손상되었어요. 읽을 수 있는 내용은 그대로 쓰고, 새 파일을 저장할 때 손상된 파일은 따로 남겨 둬요.`,
    malformed: (file) =>
      `${file} 파일의 내용이 잘못되어 쓰지 않고 그대로 두었어요. 공유하거나 받으려면, 그리고 바뀐 내용을 저장하려면 파일을 고치거나 옮기세요.`,
    'bad-values': (file) =>
      `${file} 파일의 일부 설정이 잘못되었어요. 그 설정은 기본값이나 더 안전한 값을 쓰고, 나머지는 그대로 써요.`,
    newer: (file) =>
      `${file} 파일은 더 새로운 Thruflux에서 만든 거예요. 그대로 두고, 바뀐 내용은 저장하지 않아요.`,
    unsafe: (file) =>
      `${file} 파일은 다른 계정에서 읽거나 바꿀 수 있어서 쓰지 않아요. 바뀐 내용은 저장하지 않아요.`,
    inaccessible: (file) => `${file} 파일을 읽거나 쓸 수 없어요. 바뀐 내용은 저장하지 않아요.`,
  },

  leftOut: (entries) => `보낼 수 없는 항목 ${formatCount(entries)}개`,
  leftOutReasons: {
    E_PATH_UNREADABLE: (entries) => `보내는 사람이 읽을 수 없는 항목 ${formatCount(entries)}개`,
    E_PATH_NOT_FOUND: (entries) => `없어진 항목 ${formatCount(entries)}개`,
    E_PATH_UNSUPPORTED: (entries) => `파일도 폴더도 아닌 항목 ${formatCount(entries)}개`,
    E_LINK_OUTSIDE: (entries) => `공유 밖을 가리키는 링크 ${formatCount(entries)}개`,
    E_NAME_NOT_ALLOWED: (entries) => `보낼 수 없는 이름의 항목 ${formatCount(entries)}개`,
    E_LIMIT_EXCEEDED: (entries) => `공유 한도를 넘는 항목 ${formatCount(entries)}개 이상`,
    E_DISK_IO: (entries) =>
      `보내는 사람의 디스크 오류로 읽을 수 없는 항목 ${formatCount(entries)}개`,
  },
}
