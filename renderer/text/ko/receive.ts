/** Texts of a receive: on its way, interrupted, finished. */
import { formatBytes, formatCount } from '#shared/format/format'
import type { Translation } from '#shared/text/catalogue'
import type { Catalogue } from '../catalogue'
import { source } from './person'

export const receiveText: Translation<Catalogue> = {
  receive: {
    review: '살펴보기',
    from: source,
    fromTo: ({ name, directory }) => `${source(name)} 받아 ${directory}에 저장`,
    finding: '공유를 찾는 중',
    senderSeesSame: '보내는 사람에게도 같은 번호가 보임',
    readingList: '파일 목록을 읽는 중',
    filesSoFar: (files) => `지금까지 파일 ${formatCount(files)}개`,
    checkingFolder: '폴더 확인 중',
    canceling: '취소하는 중',
    nothingLost: '받은 파일은 그대로 있음',
    nothingSaved: '저장된 파일 없음',
    contents: '전송 항목',
    deletions: {
      moved: ({ files, folder }) =>
        `보낸 사람이 지운 파일 ${formatCount(files)}개를 ${folder} 폴더로 옮겼어요.`,
      kept: (files) => `보낸 사람이 지웠지만 남긴 파일: ${formatCount(files)}`,
      why: {
        changed: '여기서 바뀐 파일',
        failed: '옮길 수 없는 파일',
        'item-gone': '보낸 쪽에서 통째로 사라짐 (디스크가 빠졌을 수 있음)',
        incomplete: '보낸 쪽에서 읽지 못한 파일이 있어 아무것도 옮기지 않음',
      },
    },

    figures: {
      received: '받음',
      receivedOf: (total) => `받음, 전체 ${total}`,
      speed: '현재 속도',
      filesSaved: '저장한 파일',
      filesSavedOf: (files) => `저장, 전체 파일 ${formatCount(files)}개`,
      left: '남음',
    },
  },

  interrupted: {
    title: '중단됨',
    about: '지금까지 받은 파일은 그대로 있어요.',
    needsCode: '이어서 받으려면 코드를 다시 입력하세요',
    enterCode: '코드 입력',
    deletePartial: '받다 만 파일 삭제',
    deleteQuestion: (bytes) =>
      `받다 만 파일을 최대 ${formatBytes(bytes)} 삭제할까요? 다 받은 파일은 남겨 둬요.`,
    checkFirst: '다시 시도하기 전에 보내는 사람에게 확인해 보세요.',
  },

  result: {
    from: ({ title, name }) => `${source(name)} ${title}`,
    whole: {
      readBack: ({ title, name }) =>
        `${source(name)} ${title}. 모든 파일을 검증하고 디스크에서 다시 읽어 확인했어요.`,
      checked: ({ title, name }) => `${source(name)} ${title}. 모든 파일이 원본과 같아요.`,
    },
    part: {
      readBack: ({ title, name }) =>
        `${source(name)} ${title}. 받은 것을 검증하고 디스크에서 다시 읽어 확인했어요.`,
      checked: ({ title, name }) => `${source(name)} ${title}. 받은 파일이 원본과 같아요.`,
    },
    checkedText: ({ title, name }) => `${source(name)} ${title}. 텍스트가 원본과 같아요.`,
    partly: ({ files, totalFiles }) =>
      files === 0
        ? '파일을 저장하지 못했어요.'
        : `파일 ${formatCount(totalFiles)}개 중 ${formatCount(files)}개를 저장하고 검증했어요.`,
    changedNames: (count) => `이름 ${formatCount(count)}개가 바뀌었어요`,
    dragOut: '다른 창으로 끌어다 놓기',
    averageSpeed: '평균 속도',
    files: '파일',
    filesRenamed: ({ files, renamed }) =>
      `${formatCount(files)} (이름 바뀜 ${formatCount(renamed)})`,
    received: '받음',
    time: '시간',
    route: '경로',
    savedTo: '저장 위치',
    moreProblems: (count) => `외 문제 ${formatCount(count)}개`,
  },

  receivedTexts: {
    title: (count) => (count === 1 ? '텍스트' : `텍스트 ${formatCount(count)}개`),
  },
}
