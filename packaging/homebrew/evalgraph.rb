# A formula for Homebrew. Untested: nobody has installed the program by it yet. The address and the checksum are those of
# a release, which has to be made first.
class Evalgraph < Formula
  desc "Check, query, compare and convert evaluation datasets"
  homepage "https://example.org/evalgraph"
  url "https://example.org/evalgraph/archive/v0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args
  end

  test do
    (testpath/"data.ttl").write "<urn:a> a <urn:B> ."
    assert_match "quads", shell_output("#{bin}/evalgraph stats data.ttl")
  end
end
