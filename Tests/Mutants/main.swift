// Feeds mutants of the bundled realms to the reading side, in a process of its own that may die of them.
// Usage: realm-mutants FIXTURES FIRST COUNT. Prints `S seed name` before each mutant, `I seed …` where inspection
// and reading disagree, and in the end `R peak-memory-in-kilobytes`.

import Foundation
import MutationSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

let arguments = CommandLine.arguments
guard arguments.count == 4, let first = UInt64(arguments[2]), let count = UInt64(arguments[3]) else {
  FileHandle.standardError.write(Data("usage: realm-mutants FIXTURES FIRST COUNT\n".utf8))
  exit(2)
}

/// A reader of small files has no use for more.
let memoryMax = rlim_t(256) << 20
var limit = rlimit(rlim_cur: memoryMax, rlim_max: memoryMax)
#if canImport(Glibc)
  _ = setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
#endif
var noCore = rlimit(rlim_cur: 0, rlim_max: 0)
#if canImport(Glibc)
  _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &noCore)
#endif

/// A mutant that takes a second of the processor ends the process, by SIGPROF.
func startTimer() {
  var time = itimerval(
    it_interval: timeval(tv_sec: 0, tv_usec: 0), it_value: timeval(tv_sec: 1, tv_usec: 0))
  _ = setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &time, nil)
}

func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

let corpus = try Corpus.load(from: URL(fileURLWithPath: arguments[1]))
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
for seed in first..<first + count {
  let (name, bytes, key) = mutator.mutant(seed)
  say("S \(seed) \(name)")
  startTimer()
  let outcome = Exercise.run(bytes, key: key)
  if let report = outcome.report, let refusal = outcome.refusal, report.format >= 10, report.findings.isEmpty
  {
    say("I \(seed) \(name) is sound, but refused: \(refusal.message) \(refusal.place ?? "")")
  }
}
var usage = rusage()
_ = getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
say("R \(usage.ru_maxrss)")
