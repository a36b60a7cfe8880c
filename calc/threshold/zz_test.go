package threshold
import ("testing";"os";"fmt")
func TestZ(t *testing.T){ b,_:=os.ReadFile("/work/shared/data/silicon_thresholds.json"); o,p:=Batch(b); for _,x:=range p {fmt.Println(x)}; os.WriteFile("/tmp/out.json",o,0644)}
