package ci

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// The action declares what it uses and uses what it declares, hands the script its inputs as
// variables, never as text of a command, and pins what it calls.
func TestAction(t *testing.T) {
	text := read(t, "../action.yml")
	var action struct {
		Name, Description string
		Inputs            map[string]struct {
			Description string
			Default     *string
		}
		Outputs map[string]struct{ Description, Value string }
		Runs    struct {
			Using string
			Steps []struct {
				Name, ID, If, Shell, Run, Uses string
				Env, With                      map[string]string
			}
		}
	}
	if err := yaml.Load([]byte(text), &action); err != nil {
		t.Fatal(err)
	}
	if action.Name == "" || action.Description == "" || action.Runs.Using != "composite" || len(action.Runs.Steps) < 4 {
		t.Errorf("the action is %+v", action)
	}
	used := map[string]bool{}
	for _, name := range regexp.MustCompile(`inputs\.([a-z]+)`).FindAllStringSubmatch(text, -1) {
		used[name[1]] = true
	}
	for name, input := range action.Inputs {
		if !used[name] || input.Description == "" || input.Default == nil {
			t.Errorf("input %s: used %v, %+v", name, used[name], input)
		}
		delete(used, name)
	}
	for name := range used {
		t.Errorf("input %s is not declared", name)
	}
	script := read(t, "pull-request")
	for _, step := range action.Runs.Steps {
		if step.Name == "" || (step.Run == "") == (step.Uses == "") || (step.Run != "") != (step.Shell == "bash") {
			t.Errorf("step %+v", step)
		}
		if strings.Contains(step.Run, "${{") {
			t.Errorf("step %q puts an expression into a command, where a branch's name could be code", step.Name)
		}
		if step.Uses != "" && !regexp.MustCompile(`@[0-9a-f]{40}$`).MatchString(step.Uses) {
			t.Errorf("step %q uses %s", step.Name, step.Uses)
		}
		if step.ID != "judge" {
			continue
		}
		for name := range step.Env {
			if name != "ACTION" && !strings.Contains(script, name) {
				t.Errorf("the script does not know %s", name)
			}
		}
	}
}

// What workflows, the action and GitLab's job take from others is named by its digest, which does not change.
// Dependabot keeps the digests up to date, and Renovate the one of GitLab's image. What is run from a module has a
// version.
func TestPinned(t *testing.T) {
	files, err := filepath.Glob("../.github/workflows/*.yml")
	if err != nil || len(files) < 3 {
		t.Fatalf("%v, %v", files, err)
	}
	uses := regexp.MustCompile(`uses: *(\S+)`)
	for _, name := range append(files, "../action.yml") {
		text := read(t, name)
		for _, use := range uses.FindAllStringSubmatch(text, -1) {
			if use[1] != "./" && !regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40}$`).MatchString(use[1]) {
				t.Errorf("%s uses %s", name, use[1])
			}
		}
		if strings.Contains(text, "@latest") {
			t.Errorf("%s runs what is the latest", name)
		}
	}
	if text := read(t, "../.github/dependabot.yml"); !strings.Contains(text, "github-actions") || !strings.Contains(text, "gomod") {
		t.Error("Dependabot does not look at actions and modules")
	}
	images := regexp.MustCompile(`(?m)^ *(?:image|- name): *(\S+)`).FindAllStringSubmatch(read(t, "gitlab.yml"), -1)
	if len(images) != 1 || !regexp.MustCompile(`^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$`).MatchString(images[0][1]) {
		t.Errorf("GitLab's job has the images %v, want one by its digest", images)
	}
	if text := read(t, "../.github/renovate.json"); !strings.Contains(text, `"/^ci/gitlab\\.yml$/"`) || !strings.Contains(text, "docker:pinDigests") {
		t.Error("Renovate does not look at GitLab's image")
	}
}

// The workflows of this project are as GitHub reads them; the one that uses the action names its
// inputs.
func TestWorkflows(t *testing.T) {
	if os.Getenv("CI") == "" {
		t.Skip("it takes a module from the network: go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12")
	}
	c := exec.Command("go", "run", "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12", "-shellcheck=", "-pyflakes=")
	c.Dir = ".."
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
