// realm-safety(7): what is left of a file when something goes wrong. Layer: RealmCommands, Manual.

import Arguments

extension ManualPage {
  /// Made by `realm-cli __man realm-safety.7`.
  static let safety = ManualPage(
    "realm-safety", section: 7, summary: "what realm-cli does to files, and beside apps that use them",
    chapters: [
      ManualChapter(
        "DESCRIPTION",
        [
          """
          Reading a realm that nobody has open takes no lock and leaves no trace. Output with exit status 0 is of one version \
          of the data: if a writer overtakes the reading, it starts again with a newer version, and after many attempts \
          the exit status is 6.
          """,
          """
          After SIGKILL or a power cut in the middle of a change, the file holds the data from before or after it. For an \
          encrypted file this requires that the disk writes 4096 bytes whole or not at all, as nearly all disks do: a \
          half-written encrypted page cannot be decrypted, and it may contain other objects. The same is true for every \
          program that changes a realm in place. Commands that write a new file (compact, encrypt, rekey, upgrade, \
          migrate) do not depend on it.
          """,
          """
          A command that changes a file holds the lock that apps hold while they have it open, and checks again after \
          taking it: several processes with the same job do it once. No question is asked while the lock is held. Only an \
          open transaction keeps others out while it waits, at the prompt or with --dialog; --idle-timeout ends one at \
          the prompt.
          """,
          """
          Ctrl-C, or another signal that ends the process in the middle of a change, says how far it was, and what was kept: \
          'stopped after 120000 objects; nothing was written'. A signal that comes while a change becomes true waits until \
          that is done and told.
          """,
          """
          On Linux, if apps have the realm open, this program joins their session: the version that it reads is kept as long as \
          it reads, and the apps are notified of what statements, insert, update, delete and import commit. Apps that want to \
          write meanwhile wait until the transaction ends. Changes that the apps could not follow are refused with exit status \
          6, and nothing is written: changes of an encrypted realm, removing or renaming classes and properties, and commands \
          that write a new file. If this program is killed, the apps go on.
          """,
          """
          A realm, its lock file, a backup or a new file may be replaced by somebody else: links are not followed; hard \
          links, pipes, devices and other kinds of files are neither emptied nor removed; owner and mode are changed only \
          on files that this program created. A realm may be named through a link of your own. In a directory that others \
          may write to, they can replace the directory itself while the program runs.
          """,
          """
          The contents of a file run no programs and do not control the terminal: names are written so that they read \
          back as names, and a terminal shows control characters and characters that change the direction of text as \
          escapes; pipes and files get the bytes unchanged. Scripts need --allow-shell to run programs or to write files. \
          --safe forbids both everywhere, and also opening any file but the realm and its key. A --key-command is a \
          program, and --upgrade and --detach write a backup.
          """,
        ]),
      ManualChapter("SEE ALSO", ["realm-cli(1), realm-cli-prompt(1), realm-cli-recover(1)"]),
    ])
}
