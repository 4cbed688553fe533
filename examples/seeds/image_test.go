package main

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"testing"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/examples/internal/seedtest"
)

// picture is w × h pixels, the left share of them in one colour and the rest in another.
func picture(w, h, left int, a, b color.Color) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	draw.Draw(img, img.Bounds(), image.NewUniform(b), image.Point{}, draw.Src)
	draw.Draw(img, image.Rect(0, 0, left, h), image.NewUniform(a), image.Point{}, draw.Src)
	return img
}

func encodedPNG(t *testing.T, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func encodedJPEG(t *testing.T, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func imagePart(contentType string, file []byte) agent.Part {
	return agent.Part{
		ContentType: contentType, ContentEncoding: "base64", Content: new(base64.StdEncoding.EncodeToString(file)),
	}
}

func TestImageAnalyzerAgent(t *testing.T) {
	red, blue := color.NRGBA{220, 20, 30, 255}, color.NRGBA{20, 50, 230, 255}
	for _, tt := range []struct {
		name string
		part agent.Part
		want string
	}{
		{
			"png", imagePart("image/png", encodedPNG(t, picture(40, 30, 10, red, blue))),
			"PNG image, 40 × 30 pixels: blue #1432e6 (75 %), red #dc141e (25 %)",
		},
		{
			"larger than the sample", imagePart("image/png", encodedPNG(t, picture(1000, 3, 500, red, blue))),
			"PNG image, 1000 × 3 pixels: blue #1432e6 (50 %), red #dc141e (50 %)",
		},
		{
			"transparent pixels do not count", imagePart("image/png", encodedPNG(t, picture(4, 4, 3, color.Transparent, red))),
			"PNG image, 4 × 4 pixels: red #dc141e (100 %)",
		},
		{
			"nothing to be seen", imagePart("image/png", encodedPNG(t, picture(4, 4, 0, red, color.Transparent))),
			"PNG image, 4 × 4 pixels",
		},
		{
			"jpeg", imagePart("image/jpeg", encodedJPEG(t, picture(16, 16, 0, red, color.White))),
			"JPEG image, 16 × 16 pixels: white #ffffff (100 %)",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ImageAnalyzerAgent(t.Context(), []agent.Message{{Parts: []agent.Part{tt.part}}})
			if err != nil {
				t.Fatal(err)
			}
			if text := agent.Text(got); text != tt.want {
				t.Errorf("text = %q, want %q", text, tt.want)
			}
		})
	}
}

func TestImageAnalyzerAgentAsData(t *testing.T) {
	message := agent.TextMessage("What do you see?")
	for _, width := range []int{3, 5} {
		message.Parts = append(message.Parts, imagePart("image/png", encodedPNG(t, picture(width, 2, 0, color.Black, color.Black))))
	}
	got, err := ImageAnalyzerAgent(t.Context(), []agent.Message{message})
	if err != nil {
		t.Fatal(err)
	}
	black := []any{map[string]any{"hex": "#000000", "name": "black", "share": 1.0}}
	want := []any{
		map[string]any{"format": "png", "width": 3.0, "height": 2.0, "colors": black},
		map[string]any{"format": "png", "width": 5.0, "height": 2.0, "colors": black},
	}
	for _, d := range seedtest.Differences(want, seedtest.Decode[any](t, []byte(*got.Parts[1].Content))) {
		t.Error(d)
	}
}

func TestImageAnalyzerAgentRefuses(t *testing.T) {
	file := encodedPNG(t, picture(40, 30, 10, color.Black, color.White))
	huge := bytes.Clone(file)
	copy(huge[16:], []byte{0, 1, 0, 0, 0, 1, 0, 0}) // the width and the height, 65536 each, and then their checksum
	binary.BigEndian.PutUint32(huge[29:], crc32.ChecksumIEEE(huge[12:29]))
	for name, parts := range map[string][]agent.Part{
		"no part":           nil,
		"no image":          {{Content: new("an image of a cat")}},
		"not an image":      {imagePart("image/png", []byte("GIF89a"))},
		"half an image":     {imagePart("image/png", file[:len(file)-30])},
		"a huge image":      {imagePart("image/png", huge)},
		"one good, one bad": {imagePart("image/png", file), imagePart("image/jpeg", nil)},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ImageAnalyzerAgent(t.Context(), []agent.Message{{Parts: parts}})
			wantInvalid(t, err)
		})
	}
}
