# A formula for a Homebrew tap. URL and sum belong to a release; `brew install --HEAD` builds from a clone.
class RealmCli < Formula
  desc "Inspect, query, edit, repair and migrate .realm database files"
  homepage "https://github.com/OWNER/realm-cli"
  url "https://github.com/OWNER/realm-cli/archive/refs/tags/0.1.0.tar.gz"
  sha256 "SUM"
  head "https://github.com/OWNER/realm-cli.git", branch: "main"

  depends_on "pkgconf" => :build
  depends_on "libedit"
  depends_on "libevent"
  depends_on "libyaml"
  depends_on macos: :tahoe
  depends_on "openssl@3"
  depends_on "zstd"
  uses_from_macos "swift" => :build
  uses_from_macos "sqlite"

  def install
    system "make", "install", "PREFIX=#{prefix}"
    pkgshare.install "fixtures/zoo.realm"
  end

  test do
    assert_match "format", shell_output("#{bin}/realm-cli info #{pkgshare}/zoo.realm")
  end
end
