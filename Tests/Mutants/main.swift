// Feeds mutants of the bundled realms, or files that are broken already, to those who read and write realms, in a
// process of its own that may die of them; and broken texts to those who do what texts say.
// Usage: realm-mutants FIXTURES FIRST COUNT, or realm-mutants FOLDER. Prints `S seed name` before each mutant, `I seed …`
// where inspection and reading disagree or a change did what it should not, and in the end
// `R peak-memory-in-kilobytes made-changes refused-changes`.

import Foundation
import MutationSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

let arguments = CommandLine.arguments
let seeds = arguments.count == 4 ? arguments[2...].compactMap { UInt64($0) } : []
guard arguments.count == 2 || seeds.count == 2 else {
  FileHandle.standardError.write(
    Data("usage: realm-mutants FIXTURES FIRST COUNT | realm-mutants FOLDER\n".utf8))
  exit(2)
}

/// A reader of small files has no use for more.
let memoryMax = rlim_t(256) << 20
/// What a diagnosis may take beside what the process has.
let diagnosisMemoryMax = rlim_t(64) << 20

/// From now on the process has at most so many bytes of memory of its own.
func limitMemory(to count: rlim_t) {
  var limit = rlimit(rlim_cur: min(count, memoryMax), rlim_max: memoryMax)
  #if canImport(Glibc)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
  #endif
}

/// What of that is taken; all of it where the system does not tell.
func takenMemory() -> rlim_t {
  let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = text?.split(separator: "\n").first { $0.hasPrefix("VmData:") }
  let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { rlim_t($0) }
  return kilobytes.map { $0 << 10 } ?? memoryMax
}

limitMemory(to: memoryMax)
var noCore = rlimit(rlim_cur: 0, rlim_max: 0)
#if canImport(Glibc)
  _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &noCore)
#endif

/// One mutant alone has time enough for a slow machine.
let secondsMax = seeds.last == 1 ? 10 : 1

/// A mutant that takes so many seconds of the processor ends the process, by SIGPROF.
func startTimer(seconds: Int = secondsMax) {
  var time = itimerval(
    it_interval: timeval(tv_sec: 0, tv_usec: 0), it_value: timeval(tv_sec: seconds, tv_usec: 0))
  _ = setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &time, nil)
}

func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

var (madeCount, refusedCount) = (0, 0)

/// What is to be told at the end.
@MainActor func finish() -> Never {
  var usage = rusage()
  _ = getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  say("R \(usage.ru_maxrss) \(madeCount) \(refusedCount)")
  exit(0)
}

let folder = URL(fileURLWithPath: arguments[1])
guard seeds.count == 2 else {
  // Every change of every file.
  let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  for (number, name) in names.enumerated() where name.hasSuffix(".realm") {
    say("S \(number) \(name)")
    startTimer(seconds: 60)
    let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    _ = Exercise.run(bytes)
    var writing = WriteExercise(bytes, key: nil, seed: UInt64(number))
    for failure in try writing.runAll() { say("I \(number) \(name) – \(failure.change): \(failure.message)") }
    madeCount += writing.madeCount
    refusedCount += writing.refusedCount
  }
  finish()
}

let corpus = try Corpus.load(from: folder)
// Questions that fit no sound realm would find nothing in a damaged one.
let askedMin = 10
for name in ["alltypes.realm", "legacy9-small.realm", "zoo.realm"] {
  guard let sound = corpus.first(where: { $0.name == name })?.exercised(), sound.refusal == nil,
    sound.questionCount >= askedMin
  else {
    FileHandle.standardError.write(Data("\(name) is not read to its end and asked\n".utf8))
    exit(3)
  }
}
let mutator = Mutator(corpus)
var texts = try TextExercise(from: folder)
if let fault = try texts.faultOfSoundOnes() {
  FileHandle.standardError.write(Data("of sound texts: \(fault)\n".utf8))
  exit(3)
}
for seed in seeds[0]..<seeds[0] + seeds[1] {
  let (name, bytes, key) = try mutator.mutant(seed)
  say("S \(seed) \(name)")
  startTimer()
  let outcome = Exercise.run(bytes, key: key)
  if let report = outcome.report, let refusal = outcome.refusal, report.format >= 10, report.findings.isEmpty
  {
    say("I \(seed) \(name) is sound, but refused: \(refusal.message) \(refusal.place ?? "")")
  }
  startTimer()
  limitMemory(to: takenMemory() + diagnosisMemoryMax)
  try Exercise.diagnose(bytes, key: key)
  limitMemory(to: memoryMax)
  startTimer()
  var writing = WriteExercise(bytes, key: key, seed: seed)
  for failure in try writing.run() { say("I \(seed) \(name) – \(failure.change): \(failure.message)") }
  madeCount += writing.madeCount
  refusedCount += writing.refusedCount
  startTimer()
  say("S \(seed) a text")
  if let failure = try texts.run(seed) { say("I \(seed) \(failure)") }
}
finish()
