package arch

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Who imports the door gets no servers, no fonts and no generated messages with it.
func TestDoorIsLight(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", strings.TrimSuffix(module, "/")).Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	all := strings.Fields(string(out))
	if !slices.Contains(all, module+"calc") {
		t.Fatal("the door does not even compute: the list is of something else")
	}
	for _, path := range all {
		for _, heavy := range []string{"google.golang.org/grpc", "google.golang.org/protobuf", "net/http", "gonum.org/v1/plot", "golang.org/x/image", "github.com/alecthomas/kong"} {
			if path == heavy || strings.HasPrefix(path, heavy+"/") {
				t.Errorf("the door brings %s", path)
			}
		}
	}
}
